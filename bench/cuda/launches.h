/*
 * launches.h - runs the planner's launches on device 0, with kernels from a folder of fatbins. One
 * thread.
 */
#ifndef FFTD_BENCH_CUDA_LAUNCHES_H
#define FFTD_BENCH_CUDA_LAUNCHES_H

#include "bench/cuda/gpu.h"

extern "C" {
#include "fft/cuda/cuda_plan.h"
}

extern cuda_facts facts;    /* of the device */
extern cudaStream_t stream; /* of all launches */

/* Call first. images: the folder. Prints the device's name. */
void launches_open(const char *images);

/* The kernel of a launch, loaded once. */
void *kernel_of(const cuda_launch &launch);
void launch_one(const cuda_launch &launch);

/* As the engine does before it makes scratch: a launch has no more clusters than run at a time. */
void limit_clusters(cuda_spectrum &s);

/* Uploads the tables of a plan; waits for the copy. */
void upload_tables(const cuda_spectrum &s, const gpu_block &tables);

#endif
