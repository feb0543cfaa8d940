/* image.h - the device code in this program: one fatbin a file of kernels/cuda. */
#ifndef FFTD_FFT_CUDA_IMAGE_H
#define FFTD_FFT_CUDA_IMAGE_H

/* The fatbin of kernels/cuda/MODULE.cu, NULL if there is none. Written by cmake/cuda.cmake. */
const void *cuda_image(const char *module);

#endif
