/* sources.h - the kernels' texts, kernels/opencl/, embedded by cmake/opencl.cmake. */
#ifndef FFTD_FFT_OPENCL_SOURCES_H
#define FFTD_FFT_OPENCL_SOURCES_H

/* The file of this stem, 0-terminated. NULL: there is none. */
const char *opencl_source(const char *stem);

#endif
