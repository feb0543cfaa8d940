/*
 * pass_plan.h - which kernels one pass of a transform is: pure, as plan.h is for spectra.
 *
 * A row of 2^k points that fits into a block goes through one kernel that suits its strides
 * (kernels/cuda/transform.h); any other 7-smooth length, strides that suit none, and real rows
 * through the one of kernels/cuda/mixed.h. A longer row is the matrix [n2][n1], row by row: a first
 * kernel transforms its columns and writes them to scratch, a second one its rows. Where a cluster
 * of blocks has room for the matrix, one kernel does both, and there is no scratch. A real row that
 * is too long for a block is gathered in scratch, transformed there as a complex one, and scattered
 * from there (kernels/cuda/real.cu).
 */
#ifndef FFTD_FFT_CUDA_PASS_PLAN_H
#define FFTD_FFT_CUDA_PASS_PLAN_H

#include "fft/cuda/mixed.h"
#include "fft/cuda/pass_form.h"

/* One kernel of a pass. */
struct pass_kernel {
    enum cuda_pass_family family;
    const struct cuda_form *form; /* NULL: mixed radix */
    struct cuda_mixed mixed;
    uint32_t n, block_rows, threads, shared;
    size_t roots_at; /* in tables */
};

/* A planned pass: sizes for the caller, the rest for the functions below. Copy freely. */
struct cuda_pass {
    size_t tables_bytes, scratch_bytes; /* scratch may be 0 */

    struct cuda_facts facts;
    struct engine_pass pass; /* a long real row: the complex one in scratch, and */
    struct engine_pass around;
    bool gathers;     /* around is there */
    uint32_t kernels; /* 1 or 2 */
    struct pass_kernel kernel[2];
    const struct cuda_pass_cluster *cluster; /* of a long row in one kernel */
    uint32_t fine, fine_bits;  /* length of the fine table of a long row, 0: none; its log2 */
    size_t fine_at, coarse_at; /* in tables */
    size_t part_fine_at, part_coarse_at; /* of a gathered row's parts */
    uint32_t chunk_rows;                 /* so many rows go through scratch at a time */
};

/* Device addresses, all aligned to 256 bytes. from is to: in place. */
struct cuda_pass_memory {
    uint64_t from, to, tables, scratch;
};

/* 0, or -ENOTSUP: there are no kernels for this kind or length. */
int cuda_pass_plan(struct cuda_pass *out, const struct cuda_facts *facts,
                   const struct engine_pass *pass);
void cuda_pass_tables(const struct cuda_pass *p, void *tables);

/* Half of the scratch, for a device that does not have it all; false: it cannot do with less. */
bool cuda_pass_shrink(struct cuda_pass *p);

/* rows0: the count of rows[0] in this run, at most the planned one. Else as cuda_spectrum_launch.
 */
bool cuda_pass_launch(const struct cuda_pass *p, const struct cuda_pass_memory *memory,
                      uint32_t rows0, uint32_t index, struct cuda_launch *out);
bool cuda_pass_kernel(const struct cuda_pass *p, uint32_t index, const char **module,
                      const char **name, uint32_t *shared);

#endif
