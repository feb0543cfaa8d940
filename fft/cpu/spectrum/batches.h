/*
 * batches.h - the cpu engine's spectra: a batch's frames divided among the threads.
 *
 * Of `count` frames by T threads each takes count/T in a row, and folds them into a share of its
 * own. What is left over is fewer frames than threads: where a frame divides (kernel.h) all threads
 * do each of them together, into the last one's share; else some threads have one more. Then the
 * shares are merged in order, and brought into the order of bins, by all threads where that is
 * worth it. Who does what depends on the numbers alone, so the bytes depend on the number of
 * threads and never on timing.
 *
 * The caller is worker 0, and works in poll.
 */
#ifndef FFTD_FFT_CPU_SPECTRUM_BATCHES_H
#define FFTD_FFT_CPU_SPECTRUM_BATCHES_H

#include "fft/cpu/spectrum/accumulator.h"
#include "fft/cpu/threads/workers.h"
#include "fft/engine.h"

/* One thread's own: its bench, and its share of each batch in flight. */
struct hand {
    struct cpu_arena memory; /* of both */
    struct cpu_bench bench;
    struct share shares[FFT_SPECTRUM_MAX_DEPTH];
};

struct cpu_batches {
    struct fft_spectrum *spectrum;
    struct cpu_plan job;
    uint32_t threads;
    bool together;                               /* fewer frames than threads are divided */
    bool merge_together;                         /* large enough to be merged by all */
    struct hand *hands;                          /* [threads] */
    struct sink results[FFT_SPECTRUM_MAX_DEPTH]; /* [n] bins each */
    struct cpu_arena memory;                     /* of the results */
    struct crew *crew;                           /* NULL: one thread */
    uint32_t next;                               /* the caller's next frame of the oldest batch */
    uint64_t finished;                           /* batches that the caller did its part of */
};

/* 0 or -ENOMEM, or why threads could not be started; finish follows in any case. */
int cpu_batches_init(struct cpu_batches *c, struct fft_spectrum *s, const struct cpu_isa *isa,
                     uint32_t threads);
void cpu_batches_finish(struct cpu_batches *c);
void cpu_batches_submit(struct cpu_batches *c);
/* b: the oldest batch. Its partial, or false after timeout_ms (< 0: for ever) and some work. */
bool cpu_batches_poll(struct cpu_batches *c, struct batch *b, int timeout_ms);

#endif
