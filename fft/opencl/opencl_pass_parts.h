/* opencl_pass_parts.h - what opencl_pass_plan.c and opencl_pass_launch.c share. */
#ifndef FFTD_FFT_OPENCL_OPENCL_PASS_PARTS_H
#define FFTD_FFT_OPENCL_OPENCL_PASS_PARTS_H

#include "fft/opencl/opencl_pass_plan.h"

/* The index of the kernel for this radix and number of columns. */
uint32_t opencl_pass_kernel(uint32_t radix, uint32_t columns);

#endif
