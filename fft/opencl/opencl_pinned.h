/*
 * opencl_pinned.h - the block of memory that samples come from, as drivers know it: copies from it
 * to a device across a bus need no thread of the host. On an NVIDIA H100 they take 54 GB/s; a
 * thread that first copies into memory of the driver's makes 8 GB/s of it.
 */
#ifndef FFTD_FFT_OPENCL_OPENCL_PINNED_H
#define FFTD_FFT_OPENCL_OPENCL_PINNED_H

#include "fft/opencl/opencl_device.h"

/*
 * Gives the block to the driver, or finds it there: OpenCL leaves open what two memory objects of
 * the same block do. NULL: the driver does not take it. Any thread, each with its own queue; the
 * caller releases it when the copies from it are done.
 */
struct opencl_pinned *opencl_pinned_acquire(struct opencl_device *d,
                                            struct _cl_command_queue *queue, const void *block,
                                            size_t bytes);
void opencl_pinned_release(struct opencl_device *d, struct _cl_command_queue *queue,
                           struct opencl_pinned *p); /* NULL is fine */

#endif
