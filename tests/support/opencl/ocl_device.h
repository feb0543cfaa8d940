/* ocl_device.h - the device that tests of bench/device/ocl.h and of its studies run on: the
 * engine's first. */
#ifndef FFTD_TESTS_SUPPORT_OPENCL_OCL_DEVICE_H
#define FFTD_TESTS_SUPPORT_OPENCL_OCL_DEVICE_H

#include "bench/device/ocl.h"

extern struct ocl *ocl; /* from open_device to close_device */

/* A group's set-up, which ends the program as skipped where there is no device, and its end. */
int open_device(void **state);
int close_device(void **state);

#endif
