/*
 * roof.h - the minimal cost of a sample of a fused spectrum, by form, and the device's limits: no
 * rate exceeds the lowest of the three.
 */
#ifndef FFTD_BENCH_CUDA_ROOF_H
#define FFTD_BENCH_CUDA_ROOF_H

extern "C" {
#include "fft/cuda/cuda_form.h"
}

/* Bytes of device memory, operations (5 n log2 n, window, power), bytes of shared memory. */
struct roof {
    double memory, operations, shared;
};

/* The cost of one sample. bulk: for the form that copies in bulk. Lines are means of `line_frames`
 * frames. Of a plan with a relay: for that. */
roof roof_cost(const cuda_spectrum &s, bool bulk, uint32_t line_frames);

/* The limits a second: memory as measured, the others computed for the chip's highest clock. */
roof roof_device(const cuda_facts &facts, double memory_rate);

#endif
