/*
 * engine_transform.h - an engine of the library as a contestant in plain transforms.
 */
#ifndef FFTD_BENCH_ENGINE_TRANSFORM_H
#define FFTD_BENCH_ENGINE_TRANSFORM_H

#include "bench/contest.h"
#include "bench/transform_case.h"

struct engine_transform {
    struct fft_engine *engine;
    const struct transform_case *test_case;
    struct fft_transform *transform;
    struct transform_arrays arrays;
    char *why; /* the reason of a refused plan */
    size_t size;
};

/*
 * Chooses the faster of one row a call and all rows in one call. On failure `why` says the reason.
 */
int engine_transform_init(struct engine_transform *o, struct fft_engine *engine,
                          const struct transform_case *test_case, char *why, size_t size);
void engine_transform_finish(struct engine_transform *o);
struct contestant engine_transform_contestant(struct engine_transform *o);

#endif
