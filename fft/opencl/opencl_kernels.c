/* opencl_kernels.c - creates kernels, sets their arguments and launches them. */
#include "fft/opencl/opencl_kernels.h"

#include <errno.h>
#include <stdlib.h>

static int make_kernel(struct opencl_kernels *k, const char *name, struct fft_reason why)
{
    const struct opencl_device *d = k->device;
    int32_t result = OPENCL_OK;
    size_t group = 0;
    struct _cl_kernel *kernel = d->driver->kernel_create(k->program->handle, name, &result);
    if (result != OPENCL_OK)
        return opencl_check(result, name, why);
    k->handles[k->count] = kernel;
    result = d->driver->kernel_group(kernel, d->id, OPENCL_KERNEL_GROUP_SIZE, sizeof group, &group,
                                     NULL);
    k->group[k->count++] = (uint32_t)group;
    return opencl_check(result, name, why);
}

int opencl_kernels_init(struct opencl_kernels *k, struct opencl_device *d,
                        const struct opencl_kernels_source *source, struct fft_reason why)
{
    *k = (struct opencl_kernels){.device = d};
    int err = opencl_program_acquire(d, source->text, source->options, &k->program, why);
    for (uint32_t i = 0; err == 0 && i < source->count; i++)
        err = make_kernel(k, source->names[i].name, why);
    return err;
}

void opencl_kernels_finish(struct opencl_kernels *k)
{
    for (uint32_t i = 0; i < k->count; i++)
        k->device->driver->kernel_release(k->handles[i]);
    if (k->device)
        opencl_program_release(k->device, k->program);
    *k = (struct opencl_kernels){0};
}

static size_t group_of(const struct opencl_launch *l)
{
    size_t items = 1;
    for (uint32_t i = 0; i < l->dims; i++)
        items *= l->local[i] ? l->local[i] : 1;
    return items;
}

uint32_t opencl_kernels_limit(const struct opencl_kernels *k, opencl_launches *launches,
                              const void *plan)
{
    struct opencl_launch launch;
    uint32_t limit = 0;
    for (uint32_t i = 0; launches(plan, i, &launch); i++) {
        const uint32_t allowed = k->group[launch.kernel];
        if (group_of(&launch) > allowed && (!limit || allowed < limit))
            limit = allowed;
    }
    return limit;
}

static int32_t set_arg(const struct opencl_driver *driver, struct _cl_kernel *kernel,
                       uint32_t index, const struct opencl_arg *arg,
                       const struct opencl_buffers *buffers)
{
    switch (arg->kind) {
    case OPENCL_BUFFER:
        return driver->kernel_arg(kernel, index, sizeof(void *), &buffers->by_role[arg->u.role]);
    case OPENCL_WORD:
        return driver->kernel_arg(kernel, index, sizeof arg->u.word, &arg->u.word);
    case OPENCL_FLOAT:
        return driver->kernel_arg(kernel, index, sizeof arg->u.real, &arg->u.real);
    case OPENCL_CORRECTION:
        return driver->kernel_arg(kernel, index, sizeof(float), &buffers->correction[arg->u.word]);
    }
    return OPENCL_INVALID_VALUE;
}

int opencl_kernels_launch(const struct opencl_kernels *k, struct _cl_command_queue *queue,
                          const struct opencl_launch *launch, const struct opencl_buffers *buffers,
                          struct _cl_event *after, struct fft_reason why)
{
    const struct opencl_driver *driver = k->device->driver;
    struct _cl_kernel *kernel = k->handles[launch->kernel];
    int32_t result = OPENCL_OK;
    for (uint32_t i = 0; result == OPENCL_OK && i < launch->arg_count; i++)
        result = set_arg(driver, kernel, i, &launch->args[i], buffers);
    if (result == OPENCL_OK)
        result = driver->launch(queue, kernel, launch->dims, NULL, launch->global,
                                launch->local[0] ? launch->local : NULL, after ? 1 : 0,
                                after ? &after : NULL, NULL);
    return opencl_check(result, "launching a kernel", why);
}
