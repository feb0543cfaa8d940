/* engine_opencl.h - the OpenCL engine: any device with an OpenCL 1.2 driver, found at run time. */
#ifndef FFTD_FFT_OPENCL_ENGINE_OPENCL_H
#define FFTD_FFT_OPENCL_ENGINE_OPENCL_H

#include "fft/engine.h"

extern const struct engine_ops opencl_engine_ops;

#endif
