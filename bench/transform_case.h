/*
 * transform_case.h - one transform to be measured: shape, input, truth; and the arrays to do it on.
 *
 * A run goes over a working set of many like transforms, `laps` times: a set of 1 MiB of arrays
 * stays in the second-level cache, one of 64 MiB comes from memory. The input is uniform noise (for
 * c2r its spectrum), the truth its transform in double precision.
 */
#ifndef FFTD_BENCH_TRANSFORM_CASE_H
#define FFTD_BENCH_TRANSFORM_CASE_H

#include "bench/options.h"
#include "reference/reference.h"

struct transform_case {
    struct fft_transform_plan plan; /* of one: batch 1, packed */
    uint32_t threads;
    uint32_t rows;              /* transforms of the set, at least one a thread */
    uint32_t laps;              /* through the set in a run */
    size_t points;              /* of one, on its larger side */
    size_t in_bytes, out_bytes; /* of one; in place the same */
    float *in;                  /* [in_bytes]: one input */
    struct complex64 *truth;    /* [points]: its output, all of it also where half is stored */
};

/* 0 or -ENOMEM. finish follows also after a failed init. */
int transform_case_init(struct transform_case *test_case, const struct options *o,
                        const struct shape *shape);
void transform_case_finish(struct transform_case *test_case);

/* The relative L2 error of one output. */
double transform_case_error(const struct transform_case *test_case, const float *out);

/*
 * The arrays of a set, done in `calls` calls of `batch` rows each. Every call begins at a multiple
 * of 64 bytes.
 */
struct transform_arrays {
    uint32_t batch, calls;
    char *in, *out; /* the same in place */
    size_t in_step, out_step;
};

/* -ERANGE: the set has fewer rows than the batch; -ENOMEM. What it held before is given back. */
int transform_arrays_init(struct transform_arrays *a, const struct transform_case *test_case,
                          uint32_t batch);
void transform_arrays_finish(struct transform_arrays *a);

/*
 * Before the first run: the test_case's input in every row. Before the others: the same, but zeros
 * in place, where one run's output is the next one's input and would grow beyond all bounds.
 */
void transform_arrays_fill(struct transform_arrays *a, const struct transform_case *test_case,
                           bool first);

/* The larger error of the first and of the last row of the first call. */
double transform_arrays_error(const struct transform_arrays *a,
                              const struct transform_case *test_case);

#endif
