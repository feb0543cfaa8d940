/*
 * cuda_pass_plan.h - plans the kernels of one pass of a transform. Pure, as cuda_plan.h is for
 * spectra.
 *
 * A row of 2^k points that fits into a block uses one kernel that suits its strides
 * (kernels/cuda/transform.h), and so does a contiguous row of 2^k reals, as points of two reals
 * (kernels/cuda/transform_real.h). Common lengths that are no powers of two have kernels of their
 * own (kernels/cuda/transform_smooth.h). Any other 7-smooth length, other strides and real rows use
 * the kernel of kernels/cuda/mixed.h. A longer row is the matrix [n2][n1] in row order: the first
 * kernel transforms its columns into scratch, the second its rows. If a cluster of blocks has room
 * for the matrix, one kernel does both without scratch. Planes that fit into a block need one
 * kernel for both of their axes (kernels/cuda/transform_plane.h). A real row that is too long for a
 * block is gathered in scratch, transformed there as a complex row, and scattered
 * (kernels/cuda/real.cu); pairs of reals are read and written by the complex kernels themselves.
 * If these have forms for bins, too (kernels/cuda/transform_parts.h), nothing is gathered. Where
 * nothing is between rows, some lengths have kernels that move them by bulk copies ("whole").
 */
#ifndef FFTD_FFT_CUDA_CUDA_PASS_PLAN_H
#define FFTD_FFT_CUDA_CUDA_PASS_PLAN_H

#include "fft/cuda/cuda_mixed.h"
#include "fft/cuda/cuda_pass_form.h"

/* One kernel of a pass. */
struct pass_kernel {
    enum cuda_pass_family family;
    const struct cuda_form *form; /* NULL: mixed radix */
    struct cuda_mixed mixed;
    uint32_t n, block_rows, threads, shared;
    size_t roots_at; /* in tables */
};

/*
 * A planned pass: sizes for the caller; the other fields are for the functions below. Copy freely.
 */
struct cuda_pass {
    size_t tables_bytes, scratch_bytes; /* scratch may be 0 */

    struct cuda_facts facts;
    struct engine_pass pass;   /* for a long real row, the complex pass that computes it */
    struct engine_pass around; /* that long real row; n = 0: `pass` is all */
    bool gathers;     /* its rows, or its bins, are in scratch; else `pass` has kernels for them */
    bool direct;      /* its pairs of reals are the points of `pass` where they are */
    uint32_t kernels; /* 1 or 2 */
    struct pass_kernel kernel[2];
    const struct cuda_pass_cluster *cluster; /* of a long row in one kernel; else NULL */
    const struct cuda_pass_plane *plane;     /* of a pass over two axes; else NULL */
    uint32_t fine, fine_bits;  /* length of the fine table of a long row, 0: none; its log2 */
    size_t fine_at, coarse_at; /* in tables */
    size_t part_fine_at,
        part_coarse_at;  /* offsets in tables: roots that split or join gathered rows */
    uint32_t chunk_rows; /* rows that pass through scratch at a time */
};

/* Device addresses, all aligned to 256 bytes. from == to: in place. */
struct cuda_pass_memory {
    uint64_t from, to, tables, scratch;
};

/* Is a pass over two axes faster than two passes? */
bool cuda_pass_joins(const struct cuda_facts *facts, const struct engine_pass *pass);

/* 0, or -ENOTSUP if there are no kernels for this kind or length. */
int cuda_pass_plan(struct cuda_pass *out, const struct cuda_facts *facts,
                   const struct engine_pass *pass);
void cuda_pass_tables(const struct cuda_pass *p, void *tables);

/* Halves the scratch, for a device with too little memory; false: the plan needs all of it. */
bool cuda_pass_shrink(struct cuda_pass *p);

/*
 * rows0: the count of rows[0] in this call, at most the planned one. Otherwise as
 * cuda_spectrum_launch.
 */
bool cuda_pass_launch(const struct cuda_pass *p, const struct cuda_pass_memory *memory,
                      uint32_t rows0, uint32_t index, struct cuda_launch *out);
bool cuda_pass_kernel(const struct cuda_pass *p, uint32_t index, const char **module,
                      const char **name, uint32_t *shared);

#endif
