/*
 * cpu_isa.h - the instruction sets that the kernels are compiled for, and choosing one.
 *
 *     x86-64   sse2 (always there), avx2 (with FMA), avx512 (F, BW, DQ, VL)
 *     aarch64  neon (always there)
 *     arm      neon (with VFPv4), generic (always there)
 *     others   generic
 */
#ifndef FFTD_FFT_CPU_BASE_CPU_ISA_H
#define FFTD_FFT_CPU_BASE_CPU_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct density_map;
struct kernel_ops;
struct lanes_ops;

struct cpu_isa {
    const char *name;  /* the name that a user chooses it by: "avx512" */
    const char *title; /* "AVX-512" */
    bool (*available)(void);
    const struct kernel_ops *const *kernels; /* best first, NULL last */
    /* One frame's level row in each column: [columns]. powers: [n], linear, in map->order. */
    void (*density)(const struct density_map *map, const float *powers, void *scratch,
                    void *levels);
    /* Counts the levels of frames: cpu_density_map.h. */
    void (*count)(const struct density_map *map, const void *levels, uint32_t frames,
                  uint32_t *hits);
    const struct lanes_ops *const *transforms; /* widest first, NULL last */
};

const struct cpu_isa *cpu_isa_at(size_t i); /* best first; NULL after the last one */

/* "auto" or NULL: the best one available. NULL: no such name (known is false), or this machine
 * lacks it. */
const struct cpu_isa *cpu_isa_find(const char *name, bool *known);

#endif
