/*
 * roof.h - what a sample of a fused spectrum costs at the least, form by form, and what the device
 * could do of each kind in a second: no rate is above the lowest of the three.
 */
#ifndef FFTD_BENCH_CUDA_ROOF_H
#define FFTD_BENCH_CUDA_ROOF_H

extern "C" {
#include "fft/cuda/form.h"
}

/* Bytes of device memory, operations (5 n log2 n, window, power), bytes of shared memory. */
struct roof {
    double memory, operations, shared;
};

/* Of one sample; bulk: by the form that copies in bulk. Lines are means of so many frames. */
roof roof_cost(const cuda_spectrum &s, bool bulk, uint32_t line_frames);

/* A second: memory as measured, the others as the chip has them at its highest clock. */
roof roof_device(const cuda_facts &facts, double memory_rate);

#endif
