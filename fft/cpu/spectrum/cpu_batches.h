/*
 * cpu_batches.h - the cpu engine's spectra: the frames of a batch divided among workers.
 *
 * The bytes depend on the plan and the number of frames alone, neither on the number of workers nor
 * on timing:
 *
 *     chunks   A batch is cut into chunks of frames. Workers take chunks; each chunk has its own
 *              sum. Then the sums are merged in the order of the chunks.
 *     frames   Long frames, which a kernel divides (cpu_kernel.h), form one chunk. A few of them at
 * a time are a group: workers take parts of its top, then parts of its bottom, which add to
 * different powers.
 *
 * Last, the detectors are converted from kernel order to bin order. Merging and this conversion are
 * steps of their own, which workers divide too if the spectrum is long enough. Where a fold
 * follows, and the caller works alone or frames are divided, the conversion is left to the fold
 * (struct fft_bin_order).
 */
#ifndef FFTD_FFT_CPU_SPECTRUM_CPU_BATCHES_H
#define FFTD_FFT_CPU_SPECTRUM_CPU_BATCHES_H

#include <stdatomic.h>

#include "fft/cpu/spectrum/cpu_accumulator.h"
#include "fft/cpu/threads/cpu_workers.h"
#include "fft/engine.h"

enum { CPU_MAX_CHUNKS = 16 };

/* What one worker writes to; of divided frames, what all workers write to. */
struct batches_worker {
    struct cpu_arena memory; /* of both */
    struct cpu_workspace workspace;
    struct cpu_accumulator accumulators[FFT_SPECTRUM_MAX_DEPTH]; /* by batch index */
};

/* How a fold makes the bins of a batch. */
struct batch_order {
    struct fft_bin_order order; /* the first member: its functions get its address */
    const struct cpu_batches *batches;
    const struct batch_progress *progress;
};

/* A batch in flight: what is done of it. */
struct batch_progress {
    const struct batch *batch;
    uint64_t number;                  /* counts from 1 */
    struct raw_correction correction; /* if the batch is `corrected` */
    enum { STEP_CHUNKS, STEP_TOP, STEP_BOTTOM, STEP_MERGE, STEP_BINS } step;
    uint32_t chunks;
    uint32_t frame, group; /* of divided frames: the next one; how many are together */
    const float *last;     /* powers of the batch's last frame */
    struct cpu_accumulator *accumulator; /* where the others are merged */
    float *sums[CPU_MAX_CHUNKS];         /* [n] each; NULL: no mean */
    struct sink bins;                    /* the result, [n] bins each */
    bool ordered;                        /* the bins are made */
    struct batch_order order;            /* else: makes them */
    atomic_uint_least64_t clipped;       /* samples, of the parts that are done */
};

struct cpu_batches {
    struct fft_spectrum *spectrum;
    struct cpu_plan plan;
    uint32_t threads;
    bool divides;                  /* frames, among the workers */
    uint32_t group_frames;         /* divided together, at most */
    struct batches_worker *worker; /* [threads], and one more of divided frames */
    struct batch_progress progress[FFT_SPECTRUM_MAX_DEPTH];
    struct cpu_arena memory; /* of sums and results */
    struct cpu_workers *workers;
};

/* 0 or -ENOMEM, or why threads could not be started; finish follows in any case. */
int cpu_batches_init(struct cpu_batches *c, struct fft_spectrum *s, const struct cpu_isa *isa,
                     uint32_t threads);
/* Bytes of memory that init takes for a plan without a density. */
size_t cpu_batches_bytes(const struct fft_spectrum_config *plan, const struct cpu_isa *isa,
                         uint32_t threads);
void cpu_batches_finish(struct cpu_batches *c);
void cpu_batches_submit(struct cpu_batches *c, const struct batch *b);
/* b: the oldest batch. Sets its partial; false after timeout_ms (< 0: for ever) and some work. */
bool cpu_batches_poll(struct cpu_batches *c, struct batch *b, int timeout_ms);

/* For cpu_batches_memory.c: the chunks of a batch, and what workers do. */
uint32_t cpu_batches_chunks(const struct cpu_plan *plan, uint32_t frames);
uint32_t cpu_batches_group(const struct cpu_plan *plan); /* frames divided together, at most */
const struct cpu_task_ops *cpu_batches_tasks(void);

#endif
