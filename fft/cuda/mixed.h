/*
 * mixed.h - the kernel of mixed radix (kernels/cuda/mixed.h): which steps, how many rows a block.
 * Pure.
 */
#ifndef FFTD_FFT_CUDA_MIXED_H
#define FFTD_FFT_CUDA_MIXED_H

#include "fft/cuda/plan.h"
#include "fft/engine.h"

struct cuda_mixed {
    enum pass_kind kind;
    uint32_t n, halved; /* complex points of a row; a real row has 2 n reals, or n */
    uint32_t steps, radix[PASS_STEPS];
    bool wide;                   /* radices above 16 */
    uint32_t gap, pitch, arrays; /* of exchanges */
    bool across;                 /* block_rows is a power of two */
    uint32_t block_rows, threads, shared;
};

/*
 * For rows of a 7-smooth length: n points, or reals. across: rows lie side by side, so that a block
 * had better take several. False: a row is too long for a block.
 */
bool cuda_mixed_plan(struct cuda_mixed *out, const struct cuda_facts *facts, enum pass_kind kind,
                     uint32_t n, bool across);

/* Its tables: the steps' roots, then those of a halved row's parts. */
size_t cuda_mixed_roots(const struct cuda_mixed *m);  /* points of the first */
size_t cuda_mixed_tables(const struct cuda_mixed *m); /* points of both */
void cuda_mixed_fill(const struct cuda_mixed *m, struct fft_iq *tables);

const char *cuda_mixed_name(const struct cuda_mixed *m);

/*
 * Completes a launch that has its strides, axes and the place of its tables (as roots) already: all
 * but the rows.
 */
void cuda_mixed_launch(const struct cuda_mixed *m, struct cuda_launch *out);

#endif
