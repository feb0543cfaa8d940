/*
 * vkfft.c - D. Tolmachev's VkFFT, through the module that contains it (bench/libs/vkfft_module.h).
 */
#include <stdio.h>

#include "bench/libs/other_library_internal.h"
#include "bench/libs/vkfft_module.h"

static const struct vkfft_module *module;

static bool vkfft_open(struct other_library *r)
{
    if (!other_library_find(r, "vkfft_module", &module))
        return false;
    const int version = module->version();
    snprintf(r->name, sizeof r->name, "vkfft-%d.%d.%d", version / 10000, version / 100 % 100,
             version % 100);
    return true;
}

static void *vkfft_plan(struct other_library *r, struct _cl_mem *points, uint32_t n, uint32_t batch)
{
    return module->plan(r->ocl->device.id, r->ocl->device.context, points, n, batch);
}

static bool vkfft_run(struct other_library *r, void *plan, struct _cl_mem *points)
{
    (void)points; /* the plan has it */
    return module->run(plan, r->ocl->queue);
}

static void vkfft_drop(struct other_library *r, void *plan)
{
    (void)r;
    module->drop(plan);
}

const struct other_library_ops other_library_vkfft = {.variable = "FFT_BENCH_VKFFT",
                                                      .file = "libfft-bench-vkfft.so",
                                                      .open = vkfft_open,
                                                      .plan = vkfft_plan,
                                                      .run = vkfft_run,
                                                      .drop = vkfft_drop};
