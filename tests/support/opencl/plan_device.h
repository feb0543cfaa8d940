/*
 * plan_device.h - an OpenCL device for tests of kernels and planner. It carries out a plan in the
 * simplest manner, with a new program and new buffers each time. Buffers are filled with a poison
 * value first.
 */
#ifndef FFTD_TESTS_SUPPORT_OPENCL_PLAN_DEVICE_H
#define FFTD_TESTS_SUPPORT_OPENCL_PLAN_DEVICE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "fft/opencl/opencl_plan.h"

struct device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    struct opencl_profile profile; /* the limits of the device */
};

/* Opens the first device of any platform whose name contains `wanted` ("" for any). Returns false
 * if there is none. */
bool device_open(struct device *d, const char *wanted);
/* The same for the device that FFTD_TEST_OPENCL_DEVICE names. Without one, the test program is
 * skipped. */
void device_open_or_skip(struct device *d);
void device_close(struct device *d);

struct program {
    cl_program program;
    cl_kernel kernels[OPENCL_KERNELS];
    uint32_t count;
};

/* Builds a program. On failure the test fails with the log of the compiler. */
void program_build(struct program *p, const struct device *d, const char *text, const char *options,
                   const struct opencl_kernel *kernels, uint32_t count);
void program_free(struct program *p);

cl_mem buffer_create(const struct device *d, size_t bytes);
void buffer_write(const struct device *d, cl_mem buffer, const void *from, size_t bytes);
void buffer_read(const struct device *d, cl_mem buffer, void *to, size_t bytes);

/* roles: [OPENCL_ROLES]. */
void launch_run(const struct device *d, const struct program *p, const struct opencl_launch *launch,
                const cl_mem *roles);

#endif
