/* share.h - what plan.c and launch.c agree on: how frames are shared. Internal to the planner. */
#ifndef FFTD_FFT_CUDA_FRAME_GROUPS_H
#define FFTD_FFT_CUDA_FRAME_GROUPS_H

#include "fft/cuda/plan.h"

static inline uint32_t at_least_one(uint64_t count)
{
    return count > 0 ? (uint32_t)count : 1;
}

/* How many count_parts of `each` make `count`, the last one perhaps smaller. */
static inline uint32_t count_parts(uint64_t count, uint64_t each)
{
    return (uint32_t)((count + each - 1) / each);
}

/* From compute capability 9.0 on memory is copied in bulk (kernels/cuda/bulk.h). */
static inline bool cuda_copies_in_bulk(const struct cuda_facts *facts)
{
    return facts->capability >= 90;
}

/* Blocks of one processor at a time: as meant, unless shared memory does not go round. */
static inline uint32_t resident_blocks(const struct cuda_facts *facts, uint32_t meant,
                                       uint32_t shared)
{
    enum { RESERVED = 1024 }; /* of each block, from compute capability 8.0 on */
    const uint32_t fit = facts->shared_processor / (shared + RESERVED);
    return fit < meant ? at_least_one(fit) : meant;
}

/* The mean, and nothing else: the lighter kernels do. */
bool cuda_is_mean_alone(const struct fft_spectrum_plan *plan);

/* Does counting levels take a kernel of its own? One block counts its frames itself. */
bool cuda_leaves_powers(const struct cuda_spectrum *s);

/* Groups of frames that are worth having, at most. */
uint32_t cuda_max_groups(const struct cuda_spectrum *s, bool bulk);

#endif
