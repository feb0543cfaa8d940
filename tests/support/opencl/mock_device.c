/* mock_device.c - platforms, devices, contexts, programs and kernels of the mock driver. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/opencl/mock_internal.h"

enum { PLATFORMS = 3, BINARY_BYTES = 64, LOST = -36 };

struct mock_opencl mock_opencl;

struct _cl_platform_id {
    const char *name;
    uint32_t count;
    struct _cl_device_id devices[2];
};

static struct _cl_platform_id platforms[PLATFORMS] = {
    {"Mock Empty", 0, {{NULL, 0}}},
    {"Mock Platform", 2, {{"Mock Board", OPENCL_TYPE_CPU}, {"Mock GPU", OPENCL_TYPE_GPU}}},
    {"Other Platform", 1, {{"Second GPU", OPENCL_TYPE_GPU}}},
};

struct _cl_context {
    const struct _cl_device_id *device;
};

struct _cl_program {
    const struct _cl_device_id *device;
    bool from_binary;
};

pthread_mutex_t *mock_lock(void)
{
    static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_mutex_lock(&lock);
    return &lock;
}

void mock_unlock(pthread_mutex_t *const *lock)
{
    pthread_mutex_unlock(*lock);
}

int32_t mock_enter(const char *name)
{
    mock_opencl.counts.calls++;
    if (mock_opencl.lost)
        return LOST;
    if (!mock_opencl.fail || strcmp(name, mock_opencl.fail) != 0 || mock_opencl.fail_after == 0)
        return OPENCL_OK;
    if (--mock_opencl.fail_after > 0)
        return OPENCL_OK;
    mock_opencl.lost = mock_opencl.fatal;
    return mock_opencl.fail_code;
}

_Noreturn void mock_abort(const char *what)
{
    fprintf(stderr, "mock driver: %s\n", what);
    abort();
}

/* ---- platforms and devices -------------------------------------------------------------- */

CALL(int32_t, clGetPlatformIDs, uint32_t capacity, struct _cl_platform_id **out, uint32_t *count)
{
    ENTER;
    *count = mock_opencl.platforms;
    for (uint32_t i = 0; i < capacity && i < *count; i++)
        out[i] = &platforms[i];
    return *count ? OPENCL_OK : OPENCL_NO_PLATFORM;
}

static int32_t answer(const void *value, size_t bytes, size_t size, void *to, size_t *actual)
{
    if (actual)
        *actual = bytes;
    if (to && size < bytes)
        return OPENCL_INVALID_VALUE;
    if (to)
        memcpy(to, value, bytes);
    return OPENCL_OK;
}

static int32_t answer_text(const char *text, size_t size, void *to, size_t *actual)
{
    return answer(text, strlen(text) + 1, size, to, actual);
}

CALL(int32_t, clGetPlatformInfo, struct _cl_platform_id *platform, uint32_t what, size_t size,
     void *value, size_t *actual)
{
    ENTER;
    return answer_text(what == OPENCL_PLATFORM_NAME ? platform->name : "OpenCL 1.2 mock", size,
                       value, actual);
}

CALL(int32_t, clGetDeviceIDs, struct _cl_platform_id *platform, uint64_t type, uint32_t capacity,
     struct _cl_device_id **devices, uint32_t *count)
{
    ENTER;
    (void)type;
    *count = platform->count;
    for (uint32_t i = 0; i < capacity && i < platform->count; i++)
        devices[i] = &platform->devices[i];
    return platform->count ? OPENCL_OK : OPENCL_DEVICE_NOT_FOUND;
}

static uint64_t number_of(const struct _cl_device_id *device, uint32_t what)
{
    switch (what) {
    case OPENCL_DEVICE_TYPE:
        return device->type;
    case OPENCL_DEVICE_UNIFIED:
        return mock_opencl.unified;
    case OPENCL_DEVICE_LOCAL_TYPE:
        return mock_opencl.no_local ? 2 : OPENCL_LOCAL_TYPE_LOCAL;
    case OPENCL_DEVICE_ALLOC_BYTES:
    case OPENCL_DEVICE_MEMORY_BYTES:
        return mock_opencl.memory;
    case OPENCL_DEVICE_LOCAL_BYTES:
        return 32768;
    case OPENCL_DEVICE_NVIDIA_MAJOR:
        return 8;
    case OPENCL_DEVICE_NVIDIA_MINOR:
        return 6;
    default:
        return 1; /* available, with a compiler, one unit ... */
    }
}

static size_t bytes_of(uint32_t what)
{
    switch (what) {
    case OPENCL_DEVICE_TYPE:
    case OPENCL_DEVICE_ALLOC_BYTES:
    case OPENCL_DEVICE_CACHE_BYTES:
    case OPENCL_DEVICE_MEMORY_BYTES:
    case OPENCL_DEVICE_LOCAL_BYTES:
        return 8;
    case OPENCL_DEVICE_GROUP_SIZE:
        return sizeof(size_t);
    default:
        return 4;
    }
}

CALL(int32_t, clGetDeviceInfo, struct _cl_device_id *device, uint32_t what, size_t size,
     void *value, size_t *actual)
{
    ENTER;
    const uint64_t number = number_of(device, what);
    switch (what) {
    case OPENCL_DEVICE_NAME:
        return answer_text(mock_opencl.gpu_name && device == &platforms[1].devices[1]
                               ? mock_opencl.gpu_name
                               : device->name,
                           size, value, actual);
    case OPENCL_DEVICE_VENDOR:
        return answer_text(mock_opencl.vendor ? mock_opencl.vendor : "mock", size, value, actual);
    case OPENCL_DRIVER_VERSION:
    case OPENCL_DEVICE_VERSION:
        return answer_text("mock", size, value, actual);
    case OPENCL_DEVICE_EXTENSIONS:
        return answer_text("cl_khr_fp64_not cl_khr_fp16", size, value, actual);
    default:
        return answer(&number, bytes_of(what), size, value, actual);
    }
}

CALL(struct _cl_context *, clCreateContext, const intptr_t *properties, uint32_t count,
     struct _cl_device_id *const *devices, void *notify, void *user, int32_t *result)
{
    ENTER_MAKING(result);
    (void)properties, (void)count, (void)notify, (void)user;
    struct _cl_context *c = calloc(1, sizeof *c);
    c->device = devices[0];
    mock_opencl.alive++;
    return c;
}

CALL(int32_t, clReleaseContext, struct _cl_context *context)
{
    ALONE;
    mock_opencl.alive--;
    free(context);
    return OPENCL_OK;
}

/* ---- programs --------------------------------------------------------------------------- */

static struct _cl_program *new_program(const struct _cl_context *context, bool from_binary)
{
    struct _cl_program *p = calloc(1, sizeof *p);
    *p = (struct _cl_program){context->device, from_binary};
    mock_opencl.alive++;
    return p;
}

CALL(struct _cl_program *, clCreateProgramWithSource, struct _cl_context *context, uint32_t count,
     const char **texts, const size_t *lengths, int32_t *result)
{
    ENTER_MAKING(result);
    (void)count, (void)texts, (void)lengths;
    return new_program(context, false);
}

CALL(struct _cl_program *, clCreateProgramWithBinary, struct _cl_context *context, uint32_t count,
     struct _cl_device_id *const *devices, const size_t *lengths, const unsigned char **binaries,
     int32_t *status, int32_t *result)
{
    ENTER_MAKING(result);
    (void)count, (void)devices;
    *status = OPENCL_OK;
    if (mock_opencl.binaries_rejected || lengths[0] != BINARY_BYTES || binaries[0][0] != 'M') {
        *result = *status = -42;
        return NULL;
    }
    return new_program(context, true);
}

CALL(int32_t, clBuildProgram, struct _cl_program *program, uint32_t count,
     struct _cl_device_id *const *devices, const char *options, void *notify, void *user)
{
    ENTER;
    (void)count, (void)devices, (void)options, (void)notify, (void)user;
    if (program->from_binary)
        mock_opencl.counts.loaded++;
    else if (mock_opencl.build_fails)
        return OPENCL_BUILD_FAILURE;
    else
        mock_opencl.counts.compiled++;
    return OPENCL_OK;
}

CALL(int32_t, clGetProgramInfo, struct _cl_program *program, uint32_t what, size_t size,
     void *value, size_t *actual)
{
    ENTER;
    (void)program;
    if (what == OPENCL_PROGRAM_BINARIES) {
        memset(*(unsigned char **)value, 'M', BINARY_BYTES);
        return OPENCL_OK;
    }
    const size_t bytes = BINARY_BYTES;
    return answer(&bytes, sizeof bytes, size, value, actual);
}

CALL(int32_t, clGetProgramBuildInfo, struct _cl_program *program, struct _cl_device_id *device,
     uint32_t what, size_t size, void *value, size_t *actual)
{
    ENTER;
    (void)program, (void)device, (void)what;
    return answer_text("\nstand_in.cl:1:2: warning: odd\nstand_in.cl:3:4: error: worse\nend\n",
                       size, value, actual);
}

CALL(int32_t, clReleaseProgram, struct _cl_program *program)
{
    ALONE;
    mock_opencl.alive--;
    free(program);
    return OPENCL_OK;
}

/* ---- kernels ---------------------------------------------------------------------------- */

CALL(struct _cl_kernel *, clCreateKernel, struct _cl_program *program, const char *name,
     int32_t *result)
{
    ENTER_MAKING(result);
    struct _cl_kernel *k = calloc(1, sizeof *k);
    snprintf(k->name, sizeof k->name, "%s", name);
    k->device = program->device;
    mock_opencl.alive++;
    return k;
}

CALL(int32_t, clReleaseKernel, struct _cl_kernel *kernel)
{
    ALONE;
    mock_opencl.alive--;
    free(kernel);
    return OPENCL_OK;
}

size_t mock_group(const struct _cl_kernel *kernel)
{
    const bool limited_kernel =
        mock_opencl.limited_kernel && strcmp(mock_opencl.limited_kernel, kernel->name) == 0;
    return limited_kernel ? mock_opencl.limited_group : mock_opencl.group;
}

CALL(int32_t, clGetKernelWorkGroupInfo, struct _cl_kernel *kernel, struct _cl_device_id *device,
     uint32_t what, size_t size, void *value, size_t *actual)
{
    ENTER;
    (void)device, (void)what;
    const size_t group = mock_group(kernel);
    return answer(&group, sizeof group, size, value, actual);
}

CALL(int32_t, clSetKernelArg, struct _cl_kernel *kernel, uint32_t index, size_t size,
     const void *value)
{
    ENTER;
    if (index >= OPENCL_ARGS || (size != sizeof(uint32_t) && size != sizeof(struct _cl_mem *)))
        mock_abort("no such argument");
    if (size == sizeof(uint32_t))
        memcpy(&kernel->args.words[index], value, size);
    else
        memcpy(&kernel->args.buffers[index], value, size);
    return OPENCL_OK;
}
