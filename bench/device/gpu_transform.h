/* gpu_transform.h - measures the cuda engine's transforms on arrays in device memory. */
#ifndef FFTD_BENCH_DEVICE_GPU_TRANSFORM_H
#define FFTD_BENCH_DEVICE_GPU_TRANSFORM_H

#include "bench/bench.h"

/* Prints one row of results, as bench_transform does; b->gpu is open. */
int gpu_transform(struct bench *b, const struct shape *shape);

#endif
