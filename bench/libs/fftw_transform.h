/*
 * fftw_transform.h - FFTW as a contestant in plain transforms, with the fastest of several batches.
 *
 * Several threads divide the calls among them. A c2r of rank 1 preserves its input, as the engine's
 * does; FFTW cannot do that in rank 2 and 3.
 */
#ifndef FFTD_BENCH_LIBS_FFTW_TRANSFORM_H
#define FFTD_BENCH_LIBS_FFTW_TRANSFORM_H

#include "bench/contest.h"
#include "bench/libs/fftw.h"
#include "bench/transform_case.h"

struct fftw_transform {
    struct fftw *fftw;
    const struct transform_case *test_case;
    fftw_plan plan;
    struct transform_arrays arrays;
};

/* Call finish also after a failure; it accepts a zeroed object. */
int fftw_transform_init(struct fftw_transform *t, struct fftw *f,
                        const struct transform_case *test_case);
void fftw_transform_finish(struct fftw_transform *t);
struct contestant fftw_transform_contestant(struct fftw_transform *t);

#endif
