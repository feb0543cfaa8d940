/* vkfft_module.c - compiles VkFFT's header into the module. */
#include "bench/libs/vkfft_module.h"

#include <stdlib.h>

#define CL_TARGET_OPENCL_VERSION 120
#define VKFFT_BACKEND            3
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include <vkFFT.h>
#pragma GCC diagnostic pop

/* VkFFT keeps pointers to these members of its configuration. */
struct plan {
    VkFFTApplication application;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_mem points;
    uint64_t bytes;
};

static void *plan_of(cl_device_id device, cl_context context, cl_mem points, uint32_t n,
                     uint32_t batch)
{
    struct plan *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->device = device;
    p->context = context;
    p->points = points;
    p->bytes = (uint64_t)n * batch * sizeof(cl_float2);
    clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof p->platform, &p->platform, NULL);
    VkFFTConfiguration c = {.FFTdim = 1,
                            .size = {n},
                            .numberBatches = batch,
                            .platform = &p->platform,
                            .device = &p->device,
                            .context = &p->context,
                            .buffer = &p->points,
                            .bufferSize = &p->bytes};
    if (initializeVkFFT(&p->application, c) == VKFFT_SUCCESS)
        return p;
    free(p);
    return NULL;
}

static bool run(void *plan, cl_command_queue queue)
{
    struct plan *p = plan;
    VkFFTLaunchParams launch = {.commandQueue = &queue, .buffer = &p->points};
    return VkFFTAppend(&p->application, -1, &launch) == VKFFT_SUCCESS;
}

static void drop(void *plan)
{
    struct plan *p = plan;
    deleteVkFFT(&p->application);
    free(p);
}

const struct vkfft_module vkfft_module = {VkFFTGetVersion, plan_of, run, drop};
