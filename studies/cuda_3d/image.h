/* image.h - finds the embedded fatbin of a kernel file of studies/cuda_3d/kernels. */
#ifndef FFTD_STUDIES_CUDA_3D_IMAGE_H
#define FFTD_STUDIES_CUDA_3D_IMAGE_H

/* NULL: there is none of this name. Written by cmake/cuda.cmake. */
const void *study_image(const char *module);

#endif
