/*
 * cpu_kernel.h - what computes one frame on one core: from raw samples to folded power.
 *
 *     raw [n] -> unpack x window -> FFT -> |X|^2 -> folded into the arrays of a sink
 *
 * A kernel may write its powers in any order, the same for every frame: the arrays of a sink are in
 * the kernel's *kernel order*. to_bins converts them to bin order, once a batch.
 *
 * Every kernel file is compiled once for each instruction set; CPU_SYMBOL() gives its names their
 * suffix. Kernels are immutable after cpu_kernel_init and may be shared by threads; a scratch may
 * not.
 */
#ifndef FFTD_FFT_CPU_SPECTRUM_CPU_KERNEL_H
#define FFTD_FFT_CPU_SPECTRUM_CPU_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/correction.h"
#include "fft/cpu/base/cpu_memory.h"
#include "fft/cpu/base/cpu_symbol.h"
#include "fft/iq.h"

/* Where a frame's powers go. [n] each, kernel order, aligned to 64 bytes; NULL where not wanted. */
struct sink {
    float *sum, *max, *min, *last;
    bool first; /* the frame replaces what is in the arrays */
};

/* Power (row * inner + c) * leaf + k is bin row + rows * (c + inner * k). Powers of two. */
struct kernel_order {
    uint32_t rows, inner;
};

/* The samples of a frame. */
struct kernel_input {
    const void *raw;
    const struct raw_correction *correction; /* NULL: none */
};

struct kernel {
    const struct kernel_ops *ops;
    uint32_t n;
    enum fft_iq_format format;
    float *window; /* [n]: the plan's, times the format's scale, with every odd sample negated:
                      that rotates the spectrum by half, so bin n/2 is the centre. In the order in
                      which frame() reads it: one stream instead of one for each row */
    void *tables;  /* private to the kernel */
    struct cpu_arena memory; /* of both */
};

/* Part `part` of `parts` of an array: workers take one each. */
struct portion {
    uint32_t part, parts;
};

/* Frames of one length that are computed together: what they read and write is touched once. */
struct frame_group {
    uint32_t frames;
    size_t hop_bytes; /* from the samples of one to those of the next */
    void *points;     /* group_bytes, aligned to 64 bytes: between top and bottom */
};

struct kernel_ops {
    const char *name;
    bool (*can)(uint32_t n);             /* a power of two */
    size_t (*scratch_bytes)(uint32_t n); /* of each thread, aligned to 64 bytes */
    size_t (*table_bytes)(uint32_t n);   /* that init takes, at most */
    int (*init)(struct kernel *k);       /* fills k->tables; 0 or -ENOMEM */
    uint32_t (*window_at)(const struct kernel *k,
                          uint32_t i); /* the index of sample i in `window` */
    /* Unless it divides. */
    void (*frame)(const struct kernel *k, void *scratch, const struct kernel_input *in,
                  const struct sink *out);
    struct kernel_order (*order)(const struct kernel *k);
    void (*add)(float *sum, const float *from, size_t count); /* sum[i] += from[i], powers */
    /* Part `part` of `parts` of the bins: each its power times `scale` in double precision. */
    void (*to_bins)(const struct kernel *k, const float *powers, float *bins, double scale,
                    struct portion portion);
    /*
     * Long frames are divided: all portions of the top, then all portions of the bottom, in any
     * order and number, by one thread or several. `scratch` is the thread's own, the group is one
     * that all use. `in` are the samples of its first frame. Portions of the bottom fold the
     * frames, in their order, into different powers of one sink. The bytes depend neither on the
     * portions nor on the groups.
     */
    bool (*divides)(uint32_t n);
    uint32_t (*group_frames)(uint32_t n); /* of a group, at most: a power of two */
    size_t (*group_bytes)(uint32_t n, uint32_t frames);
    void (*top)(const struct kernel *k, void *scratch, const struct frame_group *group,
                const struct kernel_input *in, struct portion portion);
    void (*bottom)(const struct kernel *k, void *scratch, const struct frame_group *group,
                   const struct sink *out, struct portion portion);
};

/* The first of `list` (NULL last) that can do n, or NULL. */
const struct kernel_ops *cpu_kernel_find(const struct kernel_ops *const *list, uint32_t n);
/* Takes the first of `list` (NULL last) that can do n. 0 or -ENOMEM; finish follows in either case.
 */
int cpu_kernel_init(struct kernel *k, const struct kernel_ops *const *list, uint32_t n,
                    enum fft_iq_format format);
int cpu_kernel_set_window(struct kernel *k, const float *window);
void cpu_kernel_finish(struct kernel *k);

#endif
