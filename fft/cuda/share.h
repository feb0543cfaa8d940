/* share.h - what plan.c and launch.c agree on: how frames are shared. Internal to the planner. */
#ifndef FFTD_FFT_CUDA_SHARE_H
#define FFTD_FFT_CUDA_SHARE_H

#include "fft/cuda/plan.h"

static inline uint32_t at_least_one(uint64_t count)
{
    return count > 0 ? (uint32_t)count : 1;
}

/* How many shares of `each` make `count`, the last one perhaps smaller. */
static inline uint32_t shares(uint64_t count, uint64_t each)
{
    return (uint32_t)((count + each - 1) / each);
}

/* The mean, and nothing else: the lighter kernels do. */
bool cuda_is_mean_alone(const struct spectrum_plan *job);

/* Groups of frames that are worth having, at most. */
uint32_t cuda_most_groups(const struct cuda_spectrum *s, bool bulk);

#endif
