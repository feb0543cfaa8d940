/* plan_device.c - an OpenCL device for tests, called through the loader that the test links. */
#include "tests/support/opencl/plan_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cmocka_all.h"

enum { MAX_FOUND = 16, POISON = 0xa5 };

static void must(cl_int err, const char *what)
{
    if (err != CL_SUCCESS)
        fail_msg("%s: OpenCL error %d", what, err);
}

static uint64_t number(cl_device_id id, cl_device_info what, size_t size)
{
    uint64_t value = 0;
    must(clGetDeviceInfo(id, what, size, &value, NULL), "clGetDeviceInfo");
    return value;
}

static void read_profile(struct device *d)
{
    struct opencl_profile *p = &d->profile;
    *p = (struct opencl_profile){.type = OPENCL_OTHER};
    clGetDeviceInfo(d->id, CL_DEVICE_NAME, sizeof p->name - 1, p->name, NULL);
    const uint64_t type = number(d->id, CL_DEVICE_TYPE, sizeof(cl_device_type));
    p->type = type & CL_DEVICE_TYPE_CPU   ? OPENCL_CPU
              : type & CL_DEVICE_TYPE_GPU ? OPENCL_GPU
                                          : OPENCL_OTHER;
    p->local_is_fast = number(d->id, CL_DEVICE_LOCAL_MEM_TYPE, sizeof(cl_uint)) == CL_LOCAL;
    p->unified = number(d->id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(cl_bool));
    p->units = (uint32_t)number(d->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint));
    p->max_group = (uint32_t)number(d->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t));
    p->local_bytes = (uint32_t)number(d->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(cl_ulong));
    p->cache_bytes = number(d->id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof(cl_ulong));
    p->memory_bytes = number(d->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong));
    p->alloc_bytes = number(d->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong));
}

/* Searches all platforms, including those without devices. */
static cl_device_id find(const char *wanted)
{
    cl_platform_id platforms[MAX_FOUND];
    cl_uint count = 0;
    if (clGetPlatformIDs(MAX_FOUND, platforms, &count) != CL_SUCCESS)
        return NULL;
    for (cl_uint i = 0; i < count && i < MAX_FOUND; i++) {
        cl_device_id devices[MAX_FOUND];
        cl_uint found = 0;
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, MAX_FOUND, devices, &found) !=
            CL_SUCCESS)
            continue;
        for (cl_uint j = 0; j < found && j < MAX_FOUND; j++) {
            char name[256] = "";
            clGetDeviceInfo(devices[j], CL_DEVICE_NAME, sizeof name - 1, name, NULL);
            if (strstr(name, wanted))
                return devices[j];
        }
    }
    return NULL;
}

bool device_open(struct device *d, const char *wanted)
{
    cl_int err;
    d->id = find(wanted);
    if (!d->id)
        return false;
    d->context = clCreateContext(NULL, 1, &d->id, NULL, NULL, &err);
    must(err, "clCreateContext");
    d->queue = clCreateCommandQueue(d->context, d->id, 0, &err);
    must(err, "clCreateCommandQueue");
    read_profile(d);
    return true;
}

void device_open_or_skip(struct device *d)
{
    const char *wanted = getenv("FFTD_TEST_OPENCL_DEVICE");
    if (!device_open(d, wanted ? wanted : "")) {
        puts("SKIP: no OpenCL device");
        exit(77);
    }
    printf("# on %s\n", d->profile.name);
}

void device_close(struct device *d)
{
    clReleaseCommandQueue(d->queue);
    clReleaseContext(d->context);
}

static void fail_with_log(cl_program program, cl_device_id id, const char *text)
{
    static char log[1 << 16];
    const char *keep = getenv("FFTD_OPENCL_KEEP"); /* a file that receives the text */
    FILE *out = keep ? fopen(keep, "w") : NULL;
    if (out) {
        fputs(text, out);
        fclose(out);
    }
    clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fail_msg("a program does not build:\n%s", log);
}

void program_build(struct program *p, const struct device *d, const char *text, const char *options,
                   const struct opencl_kernel *kernels, uint32_t count)
{
    cl_int err;
    p->program = clCreateProgramWithSource(d->context, 1, &text, NULL, &err);
    must(err, "clCreateProgramWithSource");
    if (clBuildProgram(p->program, 1, &d->id, options, NULL, NULL) != CL_SUCCESS)
        fail_with_log(p->program, d->id, text);
    p->count = count;
    for (uint32_t i = 0; i < count; i++) {
        p->kernels[i] = clCreateKernel(p->program, kernels[i].name, &err);
        must(err, kernels[i].name);
    }
}

void program_free(struct program *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        clReleaseKernel(p->kernels[i]);
    clReleaseProgram(p->program);
}

cl_mem buffer_create(const struct device *d, size_t bytes)
{
    cl_int err;
    const size_t size = bytes > 0 ? bytes : 4;
    cl_mem buffer = clCreateBuffer(d->context, CL_MEM_READ_WRITE, size, NULL, &err);
    must(err, "clCreateBuffer");
    void *poison = malloc(size);
    assert_non_null(poison);
    memset(poison, POISON, size);
    buffer_write(d, buffer, poison, size);
    free(poison);
    return buffer;
}

void buffer_write(const struct device *d, cl_mem buffer, const void *from, size_t bytes)
{
    must(clEnqueueWriteBuffer(d->queue, buffer, CL_TRUE, 0, bytes, from, 0, NULL, NULL),
         "clEnqueueWriteBuffer");
}

void buffer_read(const struct device *d, cl_mem buffer, void *to, size_t bytes)
{
    must(clEnqueueReadBuffer(d->queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL),
         "clEnqueueReadBuffer");
}

void launch_run(const struct device *d, const struct program *p, const struct opencl_launch *launch,
                const cl_mem *roles)
{
    const cl_kernel kernel = p->kernels[launch->kernel];
    for (uint32_t i = 0; i < launch->arg_count; i++) {
        const struct opencl_arg *a = &launch->args[i];
        const bool is_buffer = a->kind == OPENCL_BUFFER;
        must(clSetKernelArg(kernel, i, is_buffer ? sizeof(cl_mem) : sizeof(cl_uint),
                            is_buffer ? (const void *)&roles[a->u.role] : &a->u),
             "clSetKernelArg");
    }
    cl_uint wanted = 0;
    must(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof wanted, &wanted, NULL), "arguments");
    assert_int_equal(wanted, launch->arg_count);
    must(clEnqueueNDRangeKernel(d->queue, kernel, launch->dims, NULL, launch->global,
                                launch->local[0] ? launch->local : NULL, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
}
