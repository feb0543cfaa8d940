/*
 * bound.h - upper bounds of the rates on this machine, from measurements.
 *
 * Arithmetic: the fewest known operations (operations.h; half of them for real data), for spectra
 * plus window, |X|^2 and sum, at the rate of the vector units. Unpacking is not counted. Memory:
 * the bytes that must be moved, at the bandwidth of the cache level or memory that holds the
 * arrays.
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

/* Frame samples or points a second, for all threads of the case. */
double bound_spectrum(const struct machine *m, const struct spectrum_case *test_case);
double bound_transform(const struct machine *m, const struct transform_case *test_case);

#endif
