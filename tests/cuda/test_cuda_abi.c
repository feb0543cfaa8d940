/*
 * test_cuda_abi.c - compares the declarations of cuda_driver.h with the cuda.h of the toolkit, if
 * that is installed: numbers, layouts, and the symbols to which its macros map calls.
 */
#include <cuda.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "fft/cuda/cuda_driver.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #theirs)

SAME(CUDA_OK, CUDA_SUCCESS);
SAME(CUDA_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY);
SAME(CUDA_NO_DEVICE, CUDA_ERROR_NO_DEVICE);
SAME(CUDA_INVALID_DEVICE, CUDA_ERROR_INVALID_DEVICE);
SAME(CUDA_INVALID_IMAGE, CUDA_ERROR_INVALID_IMAGE);
SAME(CUDA_NO_BINARY, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME(CUDA_UNSUPPORTED_PTX, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME(CUDA_NOT_READY, CUDA_ERROR_NOT_READY);
SAME(CUDA_ATTRIBUTE_PROCESSORS, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(CUDA_ATTRIBUTE_L2_BYTES, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
SAME(CUDA_ATTRIBUTE_THREADS_SM, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
SAME(CUDA_ATTRIBUTE_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(CUDA_ATTRIBUTE_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(CUDA_ATTRIBUTE_SHARED_SM, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
SAME(CUDA_ATTRIBUTE_SHARED_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME(CUDA_FUNCTION_DYNAMIC_SHARED, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME(CUDA_FUNCTION_LARGE_CLUSTER, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
SAME(CUDA_STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING);
SAME(CUDA_EVENT_NO_TIMING, CU_EVENT_DISABLE_TIMING);
SAME(CUDA_HOST_PORTABLE, CU_MEMHOSTALLOC_PORTABLE);
SAME(CUDA_HOST_PORTABLE, CU_MEMHOSTREGISTER_PORTABLE);
SAME(CUDA_HOST_MAPPED, CU_MEMHOSTALLOC_DEVICEMAP);
SAME(CUDA_CAPTURE_THREAD, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
SAME(CUDA_LAUNCH_TOGETHER, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
SAME(CUDA_LAUNCH_CLUSTER, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
SAME(sizeof(cuda_address), sizeof(CUdeviceptr));
SAME(sizeof(struct cuda_launch_attribute), sizeof(CUlaunchAttribute));
SAME(offsetof(struct cuda_launch_attribute, value), offsetof(CUlaunchAttribute, value));
SAME(sizeof(struct cuda_launch_config), sizeof(CUlaunchConfig));
SAME(offsetof(struct cuda_launch_config, shared_bytes), offsetof(CUlaunchConfig, sharedMemBytes));
SAME(offsetof(struct cuda_launch_config, stream), offsetof(CUlaunchConfig, hStream));
SAME(offsetof(struct cuda_launch_config, attributes), offsetof(CUlaunchConfig, attrs));
SAME(offsetof(struct cuda_launch_config, attribute_count), offsetof(CUlaunchConfig, numAttrs));
SAME(CUDA_HOST_MAPPED, CU_MEMHOSTREGISTER_DEVICEMAP);
SAME(sizeof(struct cuda_kernel_node), sizeof(CUDA_KERNEL_NODE_PARAMS));
SAME(offsetof(struct cuda_kernel_node, function), offsetof(CUDA_KERNEL_NODE_PARAMS, func));
SAME(offsetof(struct cuda_kernel_node, grid), offsetof(CUDA_KERNEL_NODE_PARAMS, gridDimX));
SAME(offsetof(struct cuda_kernel_node, block), offsetof(CUDA_KERNEL_NODE_PARAMS, blockDimX));
SAME(offsetof(struct cuda_kernel_node, shared_bytes),
     offsetof(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes));
SAME(offsetof(struct cuda_kernel_node, arguments), offsetof(CUDA_KERNEL_NODE_PARAMS, kernelParams));
SAME(offsetof(struct cuda_kernel_node, extra), offsetof(CUDA_KERNEL_NODE_PARAMS, extra));

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

/* The symbol to which cuda.h maps each name. */
static const struct name {
    const char *theirs, *plain;
} names[] = {
    {TEXT(cuDeviceTotalMem), "cuDeviceTotalMem"},
    {TEXT(cuDevicePrimaryCtxRelease), "cuDevicePrimaryCtxRelease"},
    {TEXT(cuCtxPushCurrent), "cuCtxPushCurrent"},
    {TEXT(cuCtxPopCurrent), "cuCtxPopCurrent"},
    {TEXT(cuModuleLoadData), "cuModuleLoadData"},
    {TEXT(cuMemAlloc), "cuMemAlloc"},
    {TEXT(cuMemFree), "cuMemFree"},
    {TEXT(cuMemHostAlloc), "cuMemHostAlloc"},
    {TEXT(cuMemHostRegister), "cuMemHostRegister"},
    {TEXT(cuMemHostGetDevicePointer), "cuMemHostGetDevicePointer"},
    {TEXT(cuMemcpyHtoDAsync), "cuMemcpyHtoDAsync"},
    {TEXT(cuMemcpyDtoHAsync), "cuMemcpyDtoHAsync"},
    {TEXT(cuMemcpyDtoDAsync), "cuMemcpyDtoDAsync"},
    {TEXT(cuStreamCreate), "cuStreamCreate"},
    {TEXT(cuStreamDestroy), "cuStreamDestroy"},
    {TEXT(cuStreamBeginCapture), "cuStreamBeginCapture"},
    {TEXT(cuStreamEndCapture), "cuStreamEndCapture"},
    {TEXT(cuEventCreate), "cuEventCreate"},
    {TEXT(cuEventDestroy), "cuEventDestroy"},
    {TEXT(cuEventRecord), "cuEventRecord"},
    {TEXT(cuGraphInstantiateWithFlags), "cuGraphInstantiateWithFlags"},
    {TEXT(cuGraphLaunch), "cuGraphLaunch"},
    {TEXT(cuGraphGetNodes), "cuGraphGetNodes"},
    {TEXT(cuGraphExecKernelNodeSetParams), "cuGraphExecKernelNodeSetParams_v2"},
    {TEXT(cuStreamQuery), "cuStreamQuery"},
    {TEXT(cuLaunchKernelEx), "cuLaunchKernelEx"},
    {TEXT(cuOccupancyMaxActiveClusters), "cuOccupancyMaxActiveClusters"},
};

static const char *const ours[] = {
#define CUDA_NAME(field, symbol, arguments) symbol,
    CUDA_CALLS(CUDA_NAME)
#undef CUDA_NAME
};

static int is_ours(const char *name)
{
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        if (strcmp(ours[i], name) == 0)
            return 1;
    }
    return 0;
}

int main(void)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (is_ours(names[i].theirs))
            continue;
        printf("%s is %s in cuda.h, and the table does not ask for that\n", names[i].plain,
               names[i].theirs);
        wrong++;
    }
    return wrong != 0;
}
