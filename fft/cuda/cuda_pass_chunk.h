/*
 * cuda_pass_chunk.h - the rows of a pass that one set of launches computes. Internal to the planner
 * (cuda_pass_plan.c, cuda_pass_launch.c, cuda_pass_real.c, cuda_pass_tables.c).
 */
#ifndef FFTD_FFT_CUDA_CUDA_PASS_CHUNK_H
#define FFTD_FFT_CUDA_CUDA_PASS_CHUNK_H

#include "fft/cuda/cuda_pass_plan.h"

/* Rows first .. first + rows - 1: all rows, or the rows that pass through scratch at a time. */
struct pass_chunk {
    const struct cuda_pass *p;
    const struct cuda_pass_memory *memory;
    uint32_t rows0;
    uint64_t first, rows;
};

/* Sorts the axes of the rows by stride, smallest first, so that adjacent rows stay adjacent. */
void cuda_pass_axes(const struct engine_pass *pass, uint32_t rows0, struct pass_axis axes[3]);
/* Merges an axis into the previous one where it continues it in memory. */
void cuda_pass_merge_axes(struct pass_axis axes[3]);

/* Is nothing between rows that are `from` and `to` elements apart? */
bool cuda_pass_is_tight(const struct engine_pass *pass, uint64_t from, uint64_t to);

/* Can the two reals of a point be moved as one? */
bool cuda_pass_is_paired(const struct engine_pass *pass);

/* Reserves the tables of the kernels. */
void cuda_pass_plan_tables(struct cuda_pass *p);

/* Long real rows: the launches to scratch and back. */
void cuda_pass_gather(const struct pass_chunk *chunk, struct cuda_launch *out);
void cuda_pass_scatter(const struct pass_chunk *chunk, struct cuda_launch *out);
/* Kernels 0 and 1 of these launches; false: there are no more. */
bool cuda_pass_real_kernel(const struct cuda_pass *p, uint32_t index, const char **module,
                           const char **name, uint32_t *shared);

#endif
