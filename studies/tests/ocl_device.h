/* ocl_device.h - the device for tests of bench/device/ocl.h and of the studies: the first one that
 * the engine opens. */
#ifndef FFTD_STUDIES_TESTS_OCL_DEVICE_H
#define FFTD_STUDIES_TESTS_OCL_DEVICE_H

#include "bench/device/ocl.h"

extern struct ocl *ocl; /* from open_device to close_device */

/* Set-up and teardown of a group of tests. Set-up exits with 77 (skipped) if there is no device. */
int open_device(void **state);
int close_device(void **state);

#endif
