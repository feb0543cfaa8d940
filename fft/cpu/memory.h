/*
 * memory.h - zeroed, aligned memory for tables, scratch and accumulators.
 *
 * Aligned to 64 bytes (a cache line and an AVX-512 register); blocks of 2 MiB and more are aligned
 * to huge pages and the kernel is asked for some: large frames are bound by the TLB otherwise.
 *
 * An arena's blocks lie beside one another, and are given back together. It begins with a little
 * memory, and goes on in huge pages: within one of them addresses are physical ones, so that what
 * fits into a cache by its size does fit. Of small pages some share their place in L2 by chance,
 * another one in every process.
 */
#ifndef FFTD_FFT_CPU_MEMORY_H
#define FFTD_FFT_CPU_MEMORY_H

#include <stddef.h>

void *cpu_memory_take(size_t bytes); /* NULL: out of memory */
void cpu_memory_free(void *block);   /* NULL is fine */

struct cpu_arena { /* a zeroed one is empty */
    struct arena_chunk *chunks;
    char *at; /* of the newest chunk, `left` bytes are free */
    size_t left;
};

void *cpu_arena_take(struct cpu_arena *a, size_t bytes); /* NULL: out of memory */
void cpu_arena_free(struct cpu_arena *a);                /* all of it; empty again */

#endif
