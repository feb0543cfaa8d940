/*
 * mock_internal.h - what the files of the mock driver share. Several threads may call the driver;
 * one call at a time runs.
 */
#ifndef FFTD_TESTS_SUPPORT_OPENCL_MOCK_INTERNAL_H
#define FFTD_TESTS_SUPPORT_OPENCL_MOCK_INTERNAL_H

#include <pthread.h>

#include "fft/opencl/opencl_driver.h"
#include "fft/opencl/opencl_plan.h"
#include "tests/support/opencl/mock.h"

/* Keeps other threads out until the call returns. Each exported call begins with it, or with ENTER.
 */
#define ALONE                                                                                      \
    __attribute__((cleanup(mock_unlock), unused)) pthread_mutex_t *const alone_ = mock_lock()
pthread_mutex_t *mock_lock(void);
void mock_unlock(pthread_mutex_t *const *lock);

/* Counts the call. Returns not 0 if the test wants this call to fail with that code. */
int32_t mock_enter(const char *name);

#define CALL(type, name, ...)                                                                      \
    __attribute__((visibility("default"))) type name(__VA_ARGS__);                                 \
    type name(__VA_ARGS__)
#define ENTER                                                                                      \
    ALONE;                                                                                         \
    do {                                                                                           \
        const int32_t failed_ = mock_enter(__func__);                                              \
        if (failed_)                                                                               \
            return failed_;                                                                        \
    } while (0)
/* For a call that creates an object and reports its result in *result. */
#define ENTER_MAKING(result)                                                                       \
    ALONE;                                                                                         \
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
    size_t size, host; /* of it in the host's memory */
    uint32_t mapped;   /* number of mappings */
    bool borrowed;     /* bytes are the caller's */
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

/* Aborts the test: the engine broke a rule of OpenCL. */
_Noreturn void mock_abort(const char *what);
/* The most work-items of a group of this kernel. */
size_t mock_group(const struct _cl_kernel *kernel);
/* Aborts if the memory is mapped. */
void mock_need_unmapped(const struct _cl_mem *m);

/* Computes the result of a launch (mock_kernel.c). */
void mock_kernel_run(const struct _cl_kernel *kernel, const struct mock_args *args);

#endif
