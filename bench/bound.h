/*
 * bound.h - what this machine could do at most, measured.
 *
 * Arithmetic: the fewest operations known (operations.h; half of them for real data), for spectra
 * plus window, |X|^2 and sum, at the rate of the vector units. Unpacking is not counted. Memory:
 * the bandwidth of the level that holds the arrays, over the bytes that must move.
 */
#ifndef FFTD_BENCH_BOUND_H
#define FFTD_BENCH_BOUND_H

#include "bench/operations.h"
#include "bench/spectrum_case.h"
#include "bench/transform_case.h"

struct machine {
    struct units units; /* single precision, one core */
};

void machine_measure(struct machine *m);
double
machine_bandwidth(size_t bytes); /* bytes a second, reading a block of this size again and again */

/* Frame samples, or points, a second, all of the test_case's threads. */
double bound_spectrum(const struct machine *m, const struct spectrum_case *test_case);
double bound_transform(const struct machine *m, const struct transform_case *test_case);

#endif
