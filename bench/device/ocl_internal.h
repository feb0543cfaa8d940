/* ocl_internal.h - shared by the files of ocl.h alone. */
#ifndef FFTD_BENCH_DEVICE_OCL_INTERNAL_H
#define FFTD_BENCH_DEVICE_OCL_INTERNAL_H

#include "bench/device/ocl.h"

struct ocl {
    struct opencl_driver driver;
    struct opencl_cache cache;
    struct opencl_device device;
    struct _cl_command_queue *queue;
};

/* A driver's result as -errno, which has been told: "fft-bench: what: CL_..." */
int ocl_check(int32_t result, const char *what);
/* The same of what has a reason already. */
int ocl_report(int err, const char *why);

#endif
