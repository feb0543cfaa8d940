/*
 * bound.h - what this machine could do at most, measured.
 *
 * Arithmetic: the rate of vector instructions, over the fewest operations known for a power-of-two FFT
 * where a multiply-add is one of them (8/3 n log2 n - 16/9 n + ...; E. Linzer and E. Feig, "Modified
 * FFTs for Fused Multiply-Add Architectures", 1993; half of that for real data), for spectra plus window,
 * |X|^2 and sum. Memory: the bandwidth of the level that holds the arrays, over the bytes that must move.
 */
#ifndef FFTD_BENCH_BOUND_H
#define FFTD_BENCH_BOUND_H

#include "bench/spectrum_job.h"
#include "bench/transform_job.h"

struct machine {
    double operations; /* single-precision additions or multiply-adds a second, one core */
};

void machine_measure(struct machine *m);
double
machine_bandwidth(size_t bytes); /* bytes a second, reading a block of this size again and again */

/* Frame samples, or points, a second, all of the job's threads. */
double bound_spectrum(const struct machine *m, const struct spectrum_job *job);
double bound_transform(const struct machine *m, const struct transform_job *job);

#endif
