/* opencl_sources.h - finds the texts of the kernels (kernels/opencl/), which cmake/opencl.cmake
 * embeds. */
#ifndef FFTD_FFT_OPENCL_OPENCL_SOURCES_H
#define FFTD_FFT_OPENCL_OPENCL_SOURCES_H

/* The text of STEM.cl, 0-terminated. NULL: there is no such file. */
const char *opencl_source(const char *stem);

#endif
