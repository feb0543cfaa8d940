/* pass_parts.h - between pass_plan.c and pass_launch.c. */
#ifndef FFTD_FFT_OPENCL_PASS_PARTS_H
#define FFTD_FFT_OPENCL_PASS_PARTS_H

#include "fft/opencl/pass_plan.h"

/* Number of the kernel that does this radix on so many columns. */
uint32_t opencl_pass_kernel(uint32_t radix, uint32_t columns);

#endif
