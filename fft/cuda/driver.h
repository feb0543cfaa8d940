/*
 * driver.h - NVIDIA's driver, found at run time: declarations of our own for the few calls made.
 *
 * Nothing of the CUDA toolkit is needed to build this, and nothing of NVIDIA's to start the
 * program: libcuda.so.1 is opened by cuda_driver_load. Names and numbers are the driver's published
 * binary interface (NVIDIA, "CUDA Driver API"); a symbol with _v2 is what cuda.h gives a program
 * that writes the name without it. Every call returns one of its result numbers, 0 for success.
 */
#ifndef FFTD_FFT_CUDA_DRIVER_H
#define FFTD_FFT_CUDA_DRIVER_H

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
                      CUDA_ATTRIBUTE_SHARED_BLOCK = 97, /* what a block may have when it asks */
};

enum {
    CUDA_FUNCTION_DYNAMIC_SHARED = 8,
    CUDA_FUNCTION_LARGE_CLUSTER = 14, /* CUfunction_attribute */
    CUDA_STREAM_NON_BLOCKING = 1,     /* does not wait for the default stream of other code */
    CUDA_EVENT_NO_TIMING = 2,
    CUDA_HOST_PORTABLE = 1, /* pinned for every context */
    CUDA_HOST_MAPPED = 2,   /* has a device address; also of what is registered */
    CUDA_CAPTURE_THREAD = 1,
    CUDA_LAUNCH_CLUSTER = 4, /* CUlaunchAttributeID: cluster dimension */
};

/* CUlaunchAttribute and CUlaunchConfig */
struct cuda_launch_attribute {
    int id;
    char pad[4];
    union {
        char bytes[64];
        uint32_t cluster[3];
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
    X(host_register, "cuMemHostRegister_v2", (void *memory, size_t bytes, unsigned flags))         \
    X(host_unregister, "cuMemHostUnregister", (void *memory))                                      \
    X(host_address, "cuMemHostGetDevicePointer_v2",                                                \
      (cuda_address * address, void *memory, unsigned flags))                                      \
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
#define CUDA_FIELD(field, symbol, arguments) int(*field) arguments;
    CUDA_CALLS(CUDA_FIELD)
#undef CUDA_FIELD
    int version; /* of CUDA that the driver knows: 12040 is 12.4 */
};

/*
 * Opens and initialises the driver; it stays in the process. -ENODEV with the reason: no driver,
 * one that is too old, or none that works. The environment's FFTD_CUDA_DRIVER names another library
 * (the tests' own driver); a program with raised privileges does not look there.
 */
int cuda_driver_load(struct cuda_driver *d, struct reason why);

/* A result number as -errno. */
int cuda_error(int result);
/* The same, with the reason "what: CUDA_ERROR_OUT_OF_MEMORY (2)". 0 stays 0 and says nothing. */
int cuda_check(const struct cuda_driver *d, int result, const char *what, struct reason why);

#endif
