/*
 * cuda_driver.h - NVIDIA's driver, opened at run time: declarations of the few calls that the
 * engine makes.
 *
 * The build needs nothing of the CUDA toolkit, and the program starts without NVIDIA's libraries:
 * cuda_driver_load opens libcuda.so.1. Names and numbers are the published binary interface of the
 * driver (NVIDIA, "CUDA Driver API"). Where a symbol ends in _v2, cuda.h maps the plain name to it.
 * Every call returns a result number, 0 for success.
 */
#ifndef FFTD_FFT_CUDA_CUDA_DRIVER_H
#define FFTD_FFT_CUDA_CUDA_DRIVER_H

#include "fft/engine.h"

typedef uint64_t cuda_address; /* CUdeviceptr: memory as the device sees it */

struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;
struct CUgraph_st;
struct CUgraphExec_st;
struct CUgraphNode_st;

enum cuda_code {
    CUDA_OK = 0,
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_NO_DEVICE = 100,
    CUDA_INVALID_DEVICE = 101,
    CUDA_INVALID_IMAGE = 200,
    CUDA_NO_BINARY = 209,
    CUDA_UNSUPPORTED_PTX = 222,
    CUDA_NOT_FOUND = 500,
    CUDA_NOT_READY = 600,
};

enum cuda_attribute { /* CUdevice_attribute */
                      CUDA_ATTRIBUTE_PROCESSORS = 16,
                      CUDA_ATTRIBUTE_INTEGRATED = 18,
                      CUDA_ATTRIBUTE_L2_BYTES = 38,
                      CUDA_ATTRIBUTE_THREADS_SM = 39,
                      CUDA_ATTRIBUTE_MAJOR = 75,
                      CUDA_ATTRIBUTE_MINOR = 76,
                      CUDA_ATTRIBUTE_SHARED_SM = 81,
                      CUDA_ATTRIBUTE_REGISTERS_SM = 82,
                      CUDA_ATTRIBUTE_SHARED_BLOCK = 97, /* opt-in maximum of a block */
};

enum {
    CUDA_FUNCTION_DYNAMIC_SHARED = 8,
    CUDA_FUNCTION_LARGE_CLUSTER = 14, /* CUfunction_attribute */
    CUDA_STREAM_NON_BLOCKING = 1,     /* does not wait for the default stream of other code */
    CUDA_EVENT_NO_TIMING = 2,
    CUDA_HOST_PORTABLE = 1, /* pinned for every context */
    CUDA_HOST_MAPPED = 2,   /* has a device address; also for registered memory */
    CUDA_CAPTURE_THREAD = 1,
    CUDA_LAUNCH_TOGETHER = 2, /* CUlaunchAttributeID: cooperative */
    CUDA_LAUNCH_CLUSTER = 4,  /* cluster dimension */
};

/* CUlaunchAttribute and CUlaunchConfig */
struct cuda_launch_attribute {
    int id;
    char pad[4];
    union {
        char bytes[64];
        uint32_t cluster[3];
        int together;
    } value;
};
struct cuda_launch_config {
    uint32_t grid[3], block[3], shared_bytes;
    struct CUstream_st *stream;
    const struct cuda_launch_attribute *attributes;
    uint32_t attribute_count;
};

/* CUDA_KERNEL_NODE_PARAMS_v2 */
struct cuda_kernel_node {
    struct CUfunc_st *function;
    uint32_t grid[3], block[3], shared_bytes;
    void **arguments, **extra;
    void *kernel, *context;
};

/* X(our name, the driver's, its arguments) */
#define CUDA_CALLS(X)                                                                              \
    X(driver_version, "cuDriverGetVersion", (int *version))                                        \
    X(init, "cuInit", (unsigned flags))                                                            \
    X(error_name, "cuGetErrorName", (int result, const char **name))                               \
    X(device_count, "cuDeviceGetCount", (int *count))                                              \
    X(device_get, "cuDeviceGet", (int *device, int index))                                         \
    X(device_name, "cuDeviceGetName", (char *name, int size, int device))                          \
    X(device_memory, "cuDeviceTotalMem_v2", (size_t * bytes, int device))                          \
    X(device_attribute, "cuDeviceGetAttribute", (int *value, int attribute, int device))           \
    X(context_retain, "cuDevicePrimaryCtxRetain", (struct CUctx_st * *context, int device))        \
    X(context_release, "cuDevicePrimaryCtxRelease_v2", (int device))                               \
    X(context_push, "cuCtxPushCurrent_v2", (struct CUctx_st * context))                            \
    X(context_pop, "cuCtxPopCurrent_v2", (struct CUctx_st * *context))                             \
    X(module_load, "cuModuleLoadData", (struct CUmod_st * *module, const void *image))             \
    X(module_unload, "cuModuleUnload", (struct CUmod_st * module))                                 \
    X(module_function, "cuModuleGetFunction",                                                      \
      (struct CUfunc_st * *function, struct CUmod_st * module, const char *name))                  \
    X(function_set, "cuFuncSetAttribute", (struct CUfunc_st * function, int attribute, int value)) \
    X(memory_alloc, "cuMemAlloc_v2", (cuda_address * address, size_t bytes))                       \
    X(memory_free, "cuMemFree_v2", (cuda_address address))                                         \
    X(host_alloc, "cuMemHostAlloc", (void **memory, size_t bytes, unsigned flags))                 \
    X(host_free, "cuMemFreeHost", (void *memory))                                                  \
    X(host_register, "cuMemHostRegister_v2", (const void *memory, size_t bytes, unsigned flags))   \
    X(host_unregister, "cuMemHostUnregister", (const void *memory))                                \
    X(host_address, "cuMemHostGetDevicePointer_v2",                                                \
      (cuda_address * address, const void *memory, unsigned flags))                                \
    X(copy_in, "cuMemcpyHtoDAsync_v2",                                                             \
      (cuda_address to, const void *from, size_t bytes, struct CUstream_st *stream))               \
    X(copy_out, "cuMemcpyDtoHAsync_v2",                                                            \
      (void *to, cuda_address from, size_t bytes, struct CUstream_st *stream))                     \
    X(copy_within, "cuMemcpyDtoDAsync_v2",                                                         \
      (cuda_address to, cuda_address from, size_t bytes, struct CUstream_st * stream))             \
    X(stream_create, "cuStreamCreate", (struct CUstream_st * *stream, unsigned flags))             \
    X(stream_destroy, "cuStreamDestroy_v2", (struct CUstream_st * stream))                         \
    X(stream_wait, "cuStreamWaitEvent",                                                            \
      (struct CUstream_st * stream, struct CUevent_st * event, unsigned flags))                    \
    X(stream_finish, "cuStreamSynchronize", (struct CUstream_st * stream))                         \
    X(stream_query, "cuStreamQuery", (struct CUstream_st * stream))                                \
    X(event_create, "cuEventCreate", (struct CUevent_st * *event, unsigned flags))                 \
    X(event_destroy, "cuEventDestroy_v2", (struct CUevent_st * event))                             \
    X(event_record, "cuEventRecord", (struct CUevent_st * event, struct CUstream_st * stream))     \
    X(event_query, "cuEventQuery", (struct CUevent_st * event))                                    \
    X(launch, "cuLaunchKernelEx",                                                                  \
      (const struct cuda_launch_config *config, struct CUfunc_st *function, void **arguments,      \
       void **extra))                                                                              \
    X(clusters, "cuOccupancyMaxActiveClusters",                                                    \
      (int *count, struct CUfunc_st *function, const struct cuda_launch_config *config))           \
    X(capture_begin, "cuStreamBeginCapture_v2", (struct CUstream_st * stream, int mode))           \
    X(capture_end, "cuStreamEndCapture",                                                           \
      (struct CUstream_st * stream, struct CUgraph_st * *graph))                                   \
    X(graph_destroy, "cuGraphDestroy", (struct CUgraph_st * graph))                                \
    X(graph_ready, "cuGraphInstantiateWithFlags",                                                  \
      (struct CUgraphExec_st * *ready, struct CUgraph_st * graph, unsigned long long flags))       \
    X(graph_launch, "cuGraphLaunch", (struct CUgraphExec_st * ready, struct CUstream_st * stream)) \
    X(graph_nodes, "cuGraphGetNodes",                                                              \
      (struct CUgraph_st * graph, struct CUgraphNode_st * *nodes, size_t * count))                 \
    X(graph_retarget, "cuGraphExecKernelNodeSetParams_v2",                                         \
      (struct CUgraphExec_st * ready, struct CUgraphNode_st * node,                                \
       const struct cuda_kernel_node *what))                                                       \
    X(graph_free, "cuGraphExecDestroy", (struct CUgraphExec_st * ready))

struct cuda_driver {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a declarator and its parameters take none */
#define CUDA_FIELD(field, symbol, arguments) int(*field) arguments;
    CUDA_CALLS(CUDA_FIELD)
#undef CUDA_FIELD
    int version; /* CUDA version of the driver: 12040 is 12.4 */
};

/*
 * Opens and initialises the driver, which stays loaded. -ENODEV with the reason if there is no
 * driver, it is too old, or it does not work. The environment variable FFTD_CUDA_DRIVER names
 * another library, such as the mock driver of the tests; a program with raised privileges ignores
 * it.
 */
int cuda_driver_load(struct cuda_driver *d, struct fft_reason why);

/* Translates a result number to -errno. */
int cuda_error(int result);
/*
 * The same, and sets the reason "what: CUDA_ERROR_OUT_OF_MEMORY (2)". On success returns 0 and
 * leaves the reason alone.
 */
int cuda_check(const struct cuda_driver *d, int result, const char *what, struct fft_reason why);

#endif
