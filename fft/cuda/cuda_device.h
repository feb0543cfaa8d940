/*
 * cuda_device.h - one GPU: its properties, its context and its kernels.
 *
 * The context is the device's primary one, which other CUDA code in the process shares. Calls that
 * need it run between cuda_device_enter and cuda_device_leave, which preserve the caller's current
 * context. One thread opens and closes a device; between that, any threads.
 */
#ifndef FFTD_FFT_CUDA_CUDA_DEVICE_H
#define FFTD_FFT_CUDA_CUDA_DEVICE_H

#include <pthread.h>

#include "fft/cuda/cuda_driver.h"
#include "fft/cuda/cuda_plan.h"

struct cuda_module {
    const char *name;
    struct CUmod_st *handle;
};

struct cuda_device {
    const struct cuda_driver *driver;
    int handle;
    uint32_t index;
    char name[64];
    size_t memory; /* bytes */
    struct cuda_facts facts;
    struct CUctx_st *context;
    pthread_mutex_t lock;        /* is initialised while driver is set */
    struct cuda_module *modules; /* loaded so far; guarded by lock */
    uint32_t module_count;
};

/*
 * -ENODEV: older than Turing; -EINVAL: no such index; else the error of the driver. Call
 * cuda_device_close after a failure, too.
 */
int cuda_device_open(struct cuda_device *d, const struct cuda_driver *driver, uint32_t index,
                     struct fft_reason why);
void cuda_device_close(struct cuda_device *d); /* also after a failed open */

void cuda_device_enter(const struct cuda_device *d);
void cuda_device_leave(const struct cuda_device *d);

/*
 * Looks up a kernel and allows it `shared` bytes of dynamic shared memory. Call between enter and
 * leave.
 */
int cuda_device_kernel(struct cuda_device *d, const char *module, const char *kernel,
                       uint32_t shared, struct CUfunc_st **out, struct fft_reason why);

#endif
