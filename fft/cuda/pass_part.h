/* pass_part.h - what the launches of a pass share (pass_launch.c, pass_real.c). Internal to the
 * planner. */
#ifndef FFTD_FFT_CUDA_PASS_PART_H
#define FFTD_FFT_CUDA_PASS_PART_H

#include "fft/cuda/pass_plan.h"

/* Rows first .. first + rows - 1: all, or those that go through scratch at a time. */
struct pass_part {
    const struct cuda_pass *p;
    const struct cuda_pass_memory *memory;
    uint32_t rows0;
    uint64_t first, rows;
};

/* The rows' own axes, those of the smallest stride first, so that neighbours in memory are
 * neighbours. */
void cuda_pass_axes(const struct engine_pass *pass, uint32_t rows0, struct pass_axis axes[3]);
/* Axes that go on where the one before ends are one with it. */
void cuda_pass_merge_axes(struct pass_axis axes[3]);

/* Long real rows: to scratch, and from there. */
void cuda_pass_gather(const struct pass_part *part, struct cuda_launch *out);
void cuda_pass_scatter(const struct pass_part *part, struct cuda_launch *out);
/* Their kernels 0 and 1; false: there are no more. */
bool cuda_pass_real_kernel(const struct cuda_pass *p, uint32_t index, const char **module,
                           const char **name, uint32_t *shared);

#endif
