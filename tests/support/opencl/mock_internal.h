/* mock_internal.h - what the files of the mock driver share. Single-threaded. */
#ifndef FFTD_TESTS_SUPPORT_OPENCL_MOCK_INTERNAL_H
#define FFTD_TESTS_SUPPORT_OPENCL_MOCK_INTERNAL_H

#include "fft/opencl/driver.h"
#include "fft/opencl/plan.h"
#include "tests/support/opencl/mock.h"

/* Counted; not 0: the test wants this call to fail so. */
int32_t mock_enter(const char *name);

#define CALL(type, name, ...)                                                                      \
    __attribute__((visibility("default"))) type name(__VA_ARGS__);                                 \
    type name(__VA_ARGS__)
#define ENTER                                                                                      \
    do {                                                                                           \
        const int32_t failed_ = mock_enter(__func__);                                              \
        if (failed_)                                                                               \
            return failed_;                                                                        \
    } while (0)
/* For a call that makes something, and tells how that went in *result. */
#define ENTER_MAKING(result)                                                                       \
    do {                                                                                           \
        *(result) = mock_enter(__func__);                                                          \
        if (*(result))                                                                             \
            return NULL;                                                                           \
    } while (0)

struct _cl_device_id {
    const char *name;
    uint64_t type;
};

struct _cl_mem {
    unsigned char *bytes;
    size_t size;
    uint32_t mapped; /* so many times */
};

struct mock_args {
    struct _cl_mem *buffers[OPENCL_ARGS];
    uint32_t words[OPENCL_ARGS];
};

struct _cl_kernel {
    char name[32];
    const struct _cl_device_id *device;
    struct mock_args args;
};

/* Ends the test: the engine broke a rule of OpenCL. */
_Noreturn void mock_abort(const char *what);
/* Work-items that a group of this kernel may have. */
size_t mock_group(const struct _cl_kernel *kernel);
/* Not mapped, or the test ends. */
void mock_need_unmapped(const struct _cl_mem *m);

/* mock_kernel.c: what a launch means. */
void mock_kernel_run(const struct _cl_kernel *kernel, const struct mock_args *args);

#endif
