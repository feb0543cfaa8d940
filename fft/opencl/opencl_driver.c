/* opencl_driver.c - opens libOpenCL.so.1, fills the table of calls, and translates error codes. */
#include "fft/opencl/opencl_driver.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct call {
    const char *symbol;
    size_t at;
} calls[] = {
#define OPENCL_ROW(field, symbol, result, arguments)                                               \
    {symbol, offsetof(struct opencl_driver, field)},
    OPENCL_CALLS(OPENCL_ROW)
#undef OPENCL_ROW
};

enum { CALLS = sizeof calls / sizeof calls[0] };

int opencl_driver_load(struct opencl_driver *d, struct fft_reason why)
{
    const char *other = secure_getenv("FFTD_OPENCL_DRIVER");
    /* Never closed: threads of the drivers would crash. */
    void *library = dlopen(other ? other : "libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fft_reason_set(why, "no OpenCL loader: %s", dlerror());
        return -ENODEV;
    }
    for (size_t i = 0; i < CALLS; i++) {
        void *symbol = dlsym(library, calls[i].symbol);
        memcpy((char *)d + calls[i].at, &symbol, sizeof symbol);
        if (!symbol) {
            fft_reason_set(why, "the OpenCL loader has no %s", calls[i].symbol);
            return -ENODEV;
        }
    }
    return 0;
}

static const struct name {
    int32_t result;
    const char *text;
    int err;
} names[] = {
    {OPENCL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND", -ENODEV},
    {OPENCL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE", -ENODEV},
    {-3, "CL_COMPILER_NOT_AVAILABLE", -EIO},
    {OPENCL_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE", -ENOMEM},
    {OPENCL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES", -EIO},
    {OPENCL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY", -ENOMEM},
    {OPENCL_BUILD_FAILURE, "CL_BUILD_PROGRAM_FAILURE", -EIO},
    {-12, "CL_MAP_FAILURE", -EIO},
    {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", -EIO},
    {OPENCL_INVALID_VALUE, "CL_INVALID_VALUE", -EIO},
    {OPENCL_INVALID_DEVICE, "CL_INVALID_DEVICE", -ENODEV},
    {-36, "CL_INVALID_COMMAND_QUEUE", -EIO},
    {-42, "CL_INVALID_BINARY", -EIO},
    {-46, "CL_INVALID_KERNEL_NAME", -EIO},
    {-48, "CL_INVALID_KERNEL", -EIO},
    {-51, "CL_INVALID_ARG_SIZE", -EIO},
    {-52, "CL_INVALID_KERNEL_ARGS", -EIO},
    {-54, "CL_INVALID_WORK_GROUP_SIZE", -EIO},
    {-55, "CL_INVALID_WORK_ITEM_SIZE", -EIO},
    {OPENCL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE", -ENOMEM},
    {OPENCL_NO_PLATFORM, "CL_PLATFORM_NOT_FOUND_KHR", -ENODEV},
};

static const struct name *find(int32_t result)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].result == result)
            return &names[i];
    return NULL;
}

int opencl_error(int32_t result)
{
    const struct name *name = find(result);
    if (result == OPENCL_OK)
        return 0;
    return name ? name->err : -EIO;
}

int opencl_check(int32_t result, const char *what, struct fft_reason why)
{
    const struct name *name = find(result);
    if (result != OPENCL_OK)
        fft_reason_set(why, "%s: %s (%d)", what, name ? name->text : "unknown error", result);
    return opencl_error(result);
}
