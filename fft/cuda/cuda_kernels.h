/* cuda_kernels.h - the kernels of one plan: looked up before the first batch, then launched by
 * name. */
#ifndef FFTD_FFT_CUDA_CUDA_KERNELS_H
#define FFTD_FFT_CUDA_CUDA_KERNELS_H

#include "fft/cuda/cuda_device.h"

enum { CUDA_KERNELS_MAX = 16 };

struct cuda_kernels {
    struct CUfunc_st *functions[CUDA_KERNELS_MAX];
    const char *names[CUDA_KERNELS_MAX];
    uint32_t count;
};

/*
 * Adds a kernel with the `shared` bytes of the plan. Call this and cuda_kernels_launch between
 * cuda_device_enter and leave.
 */
int cuda_kernels_add(struct cuda_kernels *k, struct cuda_device *d, const char *module,
                     const char *name, uint32_t shared, struct fft_reason why);

/*
 * Describes the launch as a graph node for cuda_driver's graph_retarget. *arguments is storage for
 * the node.
 */
int cuda_kernels_node(const struct cuda_kernels *k, struct cuda_launch *what, void **arguments,
                      struct cuda_kernel_node *out, struct fft_reason why);

/* Launches a kernel that was added. */
int cuda_kernels_launch(const struct cuda_kernels *k, const struct cuda_device *d,
                        struct CUstream_st *stream, struct cuda_launch *what,
                        struct fft_reason why);

/* How many clusters of such a launch the device runs at a time. */
int cuda_kernels_clusters(const struct cuda_kernels *k, const struct cuda_device *d,
                          const struct cuda_launch *what, uint32_t *most, struct fft_reason why);

#endif
