/*
 * transform_case.h - one transform to be measured: shape, input, expected output, and arrays for
 * it.
 *
 * A run covers a working set of many equal transforms, `laps` times. A set of 1 MiB of arrays stays
 * in the second-level cache; one of 64 MiB comes from memory. The input is uniform noise (for c2r
 * the spectrum of noise); the expected output is computed in double precision.
 */
#ifndef FFTD_BENCH_TRANSFORM_CASE_H
#define FFTD_BENCH_TRANSFORM_CASE_H

#include "bench/options.h"
#include "reference/reference.h"

struct transform_case {
    struct fft_transform_config plan; /* of one transform: batch 1, packed */
    uint32_t threads;
    uint32_t rows;              /* transforms of the set, at least one for each thread */
    uint32_t laps;              /* passes over the set in a run */
    size_t points;              /* of one transform, on its larger side */
    size_t in_bytes, out_bytes; /* of one transform; equal in place */
    float *in;                  /* [in_bytes]: the input of one transform */
    struct complex64 *truth;    /* [points]: its output, complete also where half is stored */
};

/* 0 or -ENOMEM. Call finish also after a failure. */
int transform_case_init(struct transform_case *test_case, const struct options *o,
                        const struct shape *shape);
void transform_case_finish(struct transform_case *test_case);

/* Returns the relative L2 error of one output. */
double transform_case_error(const struct transform_case *test_case, const float *out);

/*
 * The arrays of a set, transformed in `calls` calls of `batch` rows each. The data of each call
 * begins at a multiple of 64 bytes.
 */
struct transform_arrays {
    uint32_t batch, calls;
    char *in, *out; /* equal in place */
    size_t in_step, out_step;
};

/* Frees what it held and allocates for this batch. -ERANGE: the set has fewer rows; -ENOMEM. */
int transform_arrays_init(struct transform_arrays *a, const struct transform_case *test_case,
                          uint32_t batch);
void transform_arrays_finish(struct transform_arrays *a);

/*
 * Writes the input into every row, for the first run. In later runs (`first` is false) in-place
 * rows are zeros instead: there the output of one run is the input of the next, and would grow
 * without bound.
 */
void transform_arrays_fill(struct transform_arrays *a, const struct transform_case *test_case,
                           bool first);

/* Returns the larger error of the first and the last row of the first call. */
double transform_arrays_error(const struct transform_arrays *a,
                              const struct transform_case *test_case);

#endif
