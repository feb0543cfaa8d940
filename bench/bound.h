/*
 * bound.h - what this machine could do at most, measured.
 *
 * Arithmetic: the rate of vector instructions, over the fewest operations known for a power-of-two FFT
 * (split radix: 4 n log2 n - 6 n + 8; H. Sorensen et al., 1986) plus window, |X|^2 and sum. Memory: the
 * bandwidth of the level that holds the frame's arrays, over the bytes that must move.
 */
#ifndef FFTD_BENCH_BOUND_H
#define FFTD_BENCH_BOUND_H

#include "bench/job.h"

struct machine {
    double operations; /* single-precision additions or multiplications a second, one core */
};

void machine_measure(struct machine *m);
double
machine_bandwidth(size_t bytes); /* bytes a second, reading a block of this size again and again */

/* Frame samples a second, all of the job's threads. */
double bound_samples(const struct machine *m, const struct job *job);

#endif
