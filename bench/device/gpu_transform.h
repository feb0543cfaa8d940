/* gpu_transform.h - the cuda engine's transforms where its arrays are: see gpu_transform.c. */
#ifndef FFTD_BENCH_DEVICE_GPU_TRANSFORM_H
#define FFTD_BENCH_DEVICE_GPU_TRANSFORM_H

#include "bench/bench.h"

/* One row of results, as bench_transform; b->gpu is open. */
int gpu_transform(struct bench *b, const struct shape *shape);

#endif
