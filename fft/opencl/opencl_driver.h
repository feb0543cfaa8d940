/*
 * opencl_driver.h - OpenCL, loaded at run time, with our own declarations of the calls used.
 *
 * Neither the build nor the start of the program needs OpenCL. opencl_driver_load opens
 * libOpenCL.so.1, the loader, which gets platforms from each installed driver (ICD). Types and
 * numbers are the published binary interface (Khronos, "The OpenCL Specification", version 1.2, and
 * its C headers). A test compares them with those headers where they are installed. Only OpenCL 1.2
 * is used, so old drivers of boards work.
 */
#ifndef FFTD_FFT_OPENCL_OPENCL_DRIVER_H
#define FFTD_FFT_OPENCL_OPENCL_DRIVER_H

#include "fft/engine.h"

struct _cl_platform_id;
struct _cl_device_id;
struct _cl_context;
struct _cl_command_queue;
struct _cl_mem;
struct _cl_program;
struct _cl_kernel;
struct _cl_event;

enum opencl_code {
    OPENCL_OK = 0,
    OPENCL_DEVICE_NOT_FOUND = -1,
    OPENCL_DEVICE_NOT_AVAILABLE = -2,
    OPENCL_ALLOCATION_FAILURE = -4,
    OPENCL_OUT_OF_RESOURCES = -5,
    OPENCL_OUT_OF_HOST_MEMORY = -6,
    OPENCL_BUILD_FAILURE = -11,
    OPENCL_INVALID_VALUE = -30,
    OPENCL_INVALID_DEVICE = -33,
    OPENCL_INVALID_BUFFER_SIZE = -61,
    OPENCL_NO_PLATFORM = -1001, /* cl_khr_icd */
};

enum opencl_platform_info {
    OPENCL_PLATFORM_VERSION = 0x0901,
    OPENCL_PLATFORM_NAME = 0x0902,
};

enum opencl_device_info {
    OPENCL_DEVICE_TYPE = 0x1000,
    OPENCL_DEVICE_COMPUTE_UNITS = 0x1002,
    OPENCL_DEVICE_GROUP_SIZE = 0x1004,
    OPENCL_DEVICE_CLOCK_MHZ = 0x100C,
    OPENCL_DEVICE_ALLOC_BYTES = 0x1010,
    OPENCL_DEVICE_CACHE_BYTES = 0x101E,
    OPENCL_DEVICE_MEMORY_BYTES = 0x101F,
    OPENCL_DEVICE_LOCAL_TYPE = 0x1022,
    OPENCL_DEVICE_LOCAL_BYTES = 0x1023,
    OPENCL_DEVICE_AVAILABLE = 0x1027,
    OPENCL_DEVICE_COMPILER = 0x1028,
    OPENCL_DEVICE_NAME = 0x102B,
    OPENCL_DEVICE_VENDOR = 0x102C,
    OPENCL_DRIVER_VERSION = 0x102D,
    OPENCL_DEVICE_VERSION = 0x102F,
    OPENCL_DEVICE_EXTENSIONS = 0x1030,
    OPENCL_DEVICE_UNIFIED = 0x1035,
    OPENCL_DEVICE_NVIDIA_MAJOR = 0x4000, /* cl_nv_device_attribute_query */
    OPENCL_DEVICE_NVIDIA_MINOR = 0x4001,
};

/* cl_bitfield values: cl_command_queue_properties, cl_device_type, cl_mem_flags,
 * cl_map_flags. */
#define OPENCL_QUEUE_TIMES     ((uint64_t)1 << 1) /* CL_QUEUE_PROFILING_ENABLE */
#define OPENCL_TYPE_CPU        ((uint64_t)1 << 1)
#define OPENCL_TYPE_GPU        ((uint64_t)1 << 2)
#define OPENCL_TYPE_ALL        ((uint64_t)0xFFFFFFFF)
#define OPENCL_MEM_READ_WRITE  ((uint64_t)1 << 0)
#define OPENCL_MEM_USE_HOST    ((uint64_t)1 << 3)
#define OPENCL_MEM_ALLOC_HOST  ((uint64_t)1 << 4)
#define OPENCL_MAP_READ        ((uint64_t)1 << 0)
#define OPENCL_MAP_WRITE       ((uint64_t)1 << 1)
#define OPENCL_MAP_WRITE_WHOLE ((uint64_t)1 << 2) /* CL_MAP_WRITE_INVALIDATE_REGION */

enum {
    OPENCL_LOCAL_TYPE_LOCAL = 1,
    OPENCL_PROGRAM_BINARY_SIZES = 0x1165,
    OPENCL_PROGRAM_BINARIES = 0x1166,
    OPENCL_PROGRAM_BUILD_LOG = 0x1183,
    OPENCL_KERNEL_GROUP_SIZE = 0x11B0,
    OPENCL_KERNEL_LOCAL_BYTES = 0x11B2,
    OPENCL_KERNEL_PRIVATE_BYTES = 0x11B4,
    OPENCL_EVENT_STATUS = 0x11D3,
    OPENCL_EVENT_START = 0x1282, /* nanoseconds by the device's clock */
    OPENCL_EVENT_END = 0x1283,
    OPENCL_COMPLETE = 0,
};

/* X(our name, the symbol of the driver, result type, arguments) */
/* clang-format off */
#define OPENCL_CALLS(X)                                                                            \
    X(platforms, "clGetPlatformIDs", int32_t,                                                      \
      (uint32_t capacity, struct _cl_platform_id **platforms, uint32_t *count))                        \
    X(platform_info, "clGetPlatformInfo", int32_t,                                                 \
      (struct _cl_platform_id *platform, uint32_t what, size_t size, void *value, size_t *actual)) \
    X(devices, "clGetDeviceIDs", int32_t,                                                          \
      (struct _cl_platform_id *platform, uint64_t type, uint32_t capacity,                             \
       struct _cl_device_id **devices, uint32_t *count))                                           \
    X(device_info, "clGetDeviceInfo", int32_t,                                                     \
      (struct _cl_device_id *device, uint32_t what, size_t size, void *value, size_t *actual))     \
    X(context_create, "clCreateContext", struct _cl_context *,                                     \
      (const intptr_t *properties, uint32_t count, struct _cl_device_id *const *devices,           \
       void (*notify)(const char *, const void *, size_t, void *), void *user, int32_t *result))   \
    X(context_release, "clReleaseContext", int32_t, (struct _cl_context *context))                 \
    X(queue_create, "clCreateCommandQueue", struct _cl_command_queue *,                            \
      (struct _cl_context *context, struct _cl_device_id *device, uint64_t properties,             \
       int32_t *result))                                                                           \
    X(queue_release, "clReleaseCommandQueue", int32_t, (struct _cl_command_queue *queue))          \
    X(buffer_create, "clCreateBuffer", struct _cl_mem *,                                           \
      (struct _cl_context *context, uint64_t flags, size_t bytes, void *host, int32_t *result))    \
    X(buffer_release, "clReleaseMemObject", int32_t, (struct _cl_mem *buffer))                     \
    X(program_source, "clCreateProgramWithSource", struct _cl_program *,                           \
      (struct _cl_context *context, uint32_t count, const char **texts, const size_t *lengths,     \
       int32_t *result))                                                                           \
    X(program_binary, "clCreateProgramWithBinary", struct _cl_program *,                           \
      (struct _cl_context *context, uint32_t count, struct _cl_device_id *const *devices,          \
       const size_t *lengths, const unsigned char **binaries, int32_t *status, int32_t *result))   \
    X(program_build, "clBuildProgram", int32_t,                                                    \
      (struct _cl_program *program, uint32_t count, struct _cl_device_id *const *devices,          \
       const char *options, void (*notify)(struct _cl_program *, void *), void *user))             \
    X(program_info, "clGetProgramInfo", int32_t,                                                   \
      (struct _cl_program *program, uint32_t what, size_t size, void *value, size_t *actual))      \
    X(build_info, "clGetProgramBuildInfo", int32_t,                                                \
      (struct _cl_program *program, struct _cl_device_id *device, uint32_t what, size_t size,      \
       void *value, size_t *actual))                                                               \
    X(program_release, "clReleaseProgram", int32_t, (struct _cl_program *program))                 \
    X(kernel_create, "clCreateKernel", struct _cl_kernel *,                                        \
      (struct _cl_program *program, const char *name, int32_t *result))                            \
    X(kernel_release, "clReleaseKernel", int32_t, (struct _cl_kernel *kernel))                     \
    X(kernel_group, "clGetKernelWorkGroupInfo", int32_t,                                           \
      (struct _cl_kernel *kernel, struct _cl_device_id *device, uint32_t what, size_t size,        \
       void *value, size_t *actual))                                                               \
    X(kernel_arg, "clSetKernelArg", int32_t,                                                       \
      (struct _cl_kernel *kernel, uint32_t index, size_t size, const void *value))                 \
    X(launch, "clEnqueueNDRangeKernel", int32_t,                                                   \
      (struct _cl_command_queue *queue, struct _cl_kernel *kernel, uint32_t dims,                  \
       const size_t *offset, const size_t *global, const size_t *local, uint32_t waits,            \
       struct _cl_event *const *wait, struct _cl_event **event))                                   \
    X(write, "clEnqueueWriteBuffer", int32_t,                                                      \
      (struct _cl_command_queue *queue, struct _cl_mem *to, uint32_t blocking, size_t at,          \
       size_t bytes, const void *from, uint32_t waits, struct _cl_event *const *wait,              \
       struct _cl_event **event))                                                                  \
    X(read, "clEnqueueReadBuffer", int32_t,                                                        \
      (struct _cl_command_queue *queue, struct _cl_mem *from, uint32_t blocking, size_t at,        \
       size_t bytes, void *to, uint32_t waits, struct _cl_event *const *wait,                      \
       struct _cl_event **event))                                                                  \
    X(copy, "clEnqueueCopyBuffer", int32_t,                                                        \
      (struct _cl_command_queue *queue, struct _cl_mem *from, struct _cl_mem *to, size_t from_at,  \
       size_t to_at, size_t bytes, uint32_t waits, struct _cl_event *const *wait,                  \
       struct _cl_event **event))                                                                  \
    X(map, "clEnqueueMapBuffer", void *,                                                           \
      (struct _cl_command_queue *queue, struct _cl_mem *buffer, uint32_t blocking, uint64_t flags, \
       size_t at, size_t bytes, uint32_t waits, struct _cl_event *const *wait,                     \
       struct _cl_event **event, int32_t *result))                                                 \
    X(unmap, "clEnqueueUnmapMemObject", int32_t,                                                   \
      (struct _cl_command_queue *queue, struct _cl_mem *buffer, void *at, uint32_t waits,          \
       struct _cl_event *const *wait, struct _cl_event **event))                                   \
    X(event_info, "clGetEventInfo", int32_t,                                                       \
      (struct _cl_event *event, uint32_t what, size_t size, void *value, size_t *actual))          \
    X(event_time, "clGetEventProfilingInfo", int32_t,                                              \
      (struct _cl_event *event, uint32_t what, size_t size, void *value, size_t *actual))          \
    X(event_release, "clReleaseEvent", int32_t, (struct _cl_event *event))                         \
    X(flush, "clFlush", int32_t, (struct _cl_command_queue *queue))                                \
    X(finish, "clFinish", int32_t, (struct _cl_command_queue *queue))
/* clang-format on */

struct opencl_driver {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a declarator and its parameters take none */
#define OPENCL_FIELD(field, symbol, result, arguments) result(*field) arguments;
    OPENCL_CALLS(OPENCL_FIELD)
#undef OPENCL_FIELD
};

/*
 * Opens the loader, which is never closed. -ENODEV with the reason: there is no loader, or it lacks
 * a call. The environment variable FFTD_OPENCL_DRIVER names another library (the tests use their
 * own driver). A program with raised privileges ignores it.
 */
int opencl_driver_load(struct opencl_driver *d, struct fft_reason why);

/* Converts a result to -errno. */
int opencl_error(int32_t result);
/* Does the same and sets the reason "what: CL_OUT_OF_RESOURCES (-5)". 0 stays 0 and sets no
 * reason. */
int opencl_check(int32_t result, const char *what, struct fft_reason why);

#endif
