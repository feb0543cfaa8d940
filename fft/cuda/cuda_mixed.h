/*
 * cuda_mixed.h - plans the mixed-radix kernel (kernels/cuda/mixed.h): its steps and rows per block.
 * Pure.
 */
#ifndef FFTD_FFT_CUDA_CUDA_MIXED_H
#define FFTD_FFT_CUDA_CUDA_MIXED_H

#include "fft/cuda/cuda_plan.h"
#include "fft/engine.h"

struct cuda_mixed {
    enum pass_kind kind;
    uint32_t n, halved; /* complex points of a row; a real row has 2 n reals if halved, else n */
    uint32_t steps, radix[PASS_STEPS];
    bool wide;                   /* radices above 16 */
    uint32_t gap, pitch, arrays; /* shared-memory layout: gap, row pitch, exchange arrays */
    bool across;                 /* block_rows is a power of two */
    uint32_t block_rows, threads, shared;
};

/*
 * Plans rows of a 7-smooth length n (points, or reals). across: neighbouring rows are adjacent in
 * memory, so a block should take several. Returns false if a row is too long for a block.
 */
bool cuda_mixed_plan(struct cuda_mixed *out, const struct cuda_facts *facts, enum pass_kind kind,
                     uint32_t n, bool across);

/* Its tables: the roots of the steps, then the roots that split or join a halved row. */
size_t cuda_mixed_roots(const struct cuda_mixed *m);  /* points of the first table */
size_t cuda_mixed_tables(const struct cuda_mixed *m); /* points of both tables */
void cuda_mixed_fill(const struct cuda_mixed *m, struct fft_iq *tables);

const char *cuda_mixed_name(const struct cuda_mixed *m);

/*
 * Completes a launch whose strides, axes, table address (as roots) and `paired` are set: everything
 * but the row range.
 */
void cuda_mixed_launch(const struct cuda_mixed *m, struct cuda_launch *out);

#endif
