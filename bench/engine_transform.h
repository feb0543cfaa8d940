/*
 * engine_transform.h - an engine of the library as a contestant in plain transforms.
 */
#ifndef FFTD_BENCH_ENGINE_TRANSFORM_H
#define FFTD_BENCH_ENGINE_TRANSFORM_H

#include "bench/contest.h"
#include "bench/transform_case.h"

struct ours_transform {
    struct fft_engine *engine;
    const struct transform_job *job;
    struct fft_transform *transform;
    struct arena arena;
    char *why; /* of a plan that was refused */
    size_t size;
};

/* The fastest of one row a call and all rows in one. On failure `why` names the reason. */
int ours_transform_init(struct ours_transform *o, struct fft_engine *engine,
                        const struct transform_job *job, char *why, size_t size);
void ours_transform_finish(struct ours_transform *o);
struct contestant ours_transform_contestant(struct ours_transform *o);

#endif
