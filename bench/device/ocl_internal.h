/* ocl_internal.h - the state of an open device, for the files that implement ocl.h and for
 * bench/libs. */
#ifndef FFTD_BENCH_DEVICE_OCL_INTERNAL_H
#define FFTD_BENCH_DEVICE_OCL_INTERNAL_H

#include "bench/device/ocl.h"

enum { OCL_EVENTS = 64 };

struct ocl {
    struct opencl_driver driver;
    struct opencl_cache cache;
    struct opencl_device device;
    struct _cl_command_queue *queue;
    bool profiling; /* launches keep their events */
    uint32_t events;
    struct _cl_event *event[OCL_EVENTS];
};

/* Translates a driver's result to -errno; an error is printed as "PROGRAM: what: CL_..." */
int ocl_check(int32_t result, const char *what);
/* Prints the reason if err is negative. Returns err. */
int ocl_report(int err, const char *why);

#endif
