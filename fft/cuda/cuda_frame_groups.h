/*
 * cuda_frame_groups.h - how frames are divided into groups, for cuda_plan.c and cuda_launch.c.
 * Internal to the planner.
 */
#ifndef FFTD_FFT_CUDA_CUDA_FRAME_GROUPS_H
#define FFTD_FFT_CUDA_CUDA_FRAME_GROUPS_H

#include "fft/cuda/cuda_form.h"
#include "kernels/cuda/forms.h"

static inline uint32_t at_least_one(uint64_t count)
{
    return count > 0 ? (uint32_t)count : 1;
}

/* Number of parts of `each` in `count`; the last part may be smaller. */
static inline uint32_t count_parts(uint64_t count, uint64_t each)
{
    return (uint32_t)((count + each - 1) / each);
}

/* Compute capability 9.0 and later copies memory in bulk (kernels/cuda/bulk.h). */
static inline bool cuda_copies_in_bulk(const struct cuda_facts *facts)
{
    return facts->capability >= 90;
}

/* Blocks that one multiprocessor runs at a time: `intended`, or fewer if shared memory is short. */
static inline uint32_t resident_blocks(const struct cuda_facts *facts, uint32_t intended,
                                       uint32_t shared)
{
    enum { RESERVED = 1024 }; /* bytes of each block, from compute capability 8.0 on */
    const uint32_t fit = facts->shared_processor / (shared + RESERVED);
    return fit < intended ? at_least_one(fit) : intended;
}

/*
 * Have `frames` more blocks than the device has multiprocessors, with one block or cluster each? A
 * single frame never has: it signals its end itself.
 */
static inline bool cuda_fills_device(const struct cuda_facts *facts, const struct cuda_form *form,
                                     uint32_t frames)
{
    const uint64_t blocks = cuda_form_is_cluster(form) ? form->sharing : 1;
    return frames > 1 && blocks * frames > facts->processors;
}

/* Mean detector only, no density: lighter kernels suffice. */
bool cuda_is_mean_alone(const struct fft_spectrum_config *plan);

/* Does density need a kernel of its own? A frame in one block counts its levels itself. */
bool cuda_leaves_powers(const struct cuda_spectrum *s);

/* Largest useful number of groups of frames. */
uint32_t cuda_max_groups(const struct cuda_spectrum *s, bool bulk);

/* Whether this many frames are worth one kernel for columns and rows, instead of two. */
bool cuda_relays(uint32_t pipelines, uint32_t frames);

/* Threads of a block of this kernel, and its counters in scratch. */
static inline uint32_t cuda_relay_threads(void)
{
    return 2 * RELAY_THREADS + RELAY_WAITING;
}
static inline uint32_t cuda_relay_counters(const struct cuda_spectrum *s)
{
    return 2 * s->entries * s->pipelines;
}

#endif
