/* cuda_device.c - opens a GPU, reads its properties and loads modules and kernels. */
#include "fft/cuda/cuda_device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/cuda/cuda_image.h"

enum { OLDEST_CAPABILITY = 75, FREE_SHARED = 48 << 10 };

/* Remembers the first failure in *result. */
static uint32_t attribute(const struct cuda_device *d, enum cuda_attribute which, int *result)
{
    int value = 0;
    const int failed = d->driver->device_attribute(&value, which, d->handle);
    if (*result == CUDA_OK)
        *result = failed;
    return value > 0 ? (uint32_t)value : 0;
}

static int read_facts(struct cuda_device *d)
{
    int result = CUDA_OK;
    d->facts = (struct cuda_facts){
        .capability = 10 * attribute(d, CUDA_ATTRIBUTE_MAJOR, &result) +
                      attribute(d, CUDA_ATTRIBUTE_MINOR, &result),
        .processors = attribute(d, CUDA_ATTRIBUTE_PROCESSORS, &result),
        .shared_block = attribute(d, CUDA_ATTRIBUTE_SHARED_BLOCK, &result),
        .shared_processor = attribute(d, CUDA_ATTRIBUTE_SHARED_SM, &result),
        .threads_processor = attribute(d, CUDA_ATTRIBUTE_THREADS_SM, &result),
        .l2_bytes = attribute(d, CUDA_ATTRIBUTE_L2_BYTES, &result),
    };
    return result;
}

static int check_age(const struct cuda_device *d, struct fft_reason why)
{
    const uint32_t capability = d->facts.capability;
    if (capability >= OLDEST_CAPABILITY)
        return 0;
    fft_reason_set(why, "device %u (%s) has compute capability %u.%u, 7.5 (Turing) is needed",
                   d->index, d->name, capability / 10, capability % 10);
    return -ENODEV;
}

int cuda_device_open(struct cuda_device *d, const struct cuda_driver *driver, uint32_t index,
                     struct fft_reason why)
{
    char what[48];
    d->driver = driver;
    d->index = index;
    pthread_mutex_init(&d->lock, NULL);
    snprintf(what, sizeof what, "device %u", index);

    int result = driver->device_get(&d->handle, (int)index);
    if (result == CUDA_OK)
        result = driver->device_name(d->name, sizeof d->name, d->handle);
    if (result == CUDA_OK)
        result = driver->device_memory(&d->memory, d->handle);
    if (result == CUDA_OK)
        result = read_facts(d);
    if (result != CUDA_OK)
        return cuda_check(driver, result, what, why);
    const int err = check_age(d, why);
    if (err < 0)
        return err;
    result = driver->context_retain(&d->context, d->handle);
    if (result != CUDA_OK)
        d->context = NULL;
    return cuda_check(driver, result, what, why);
}

void cuda_device_close(struct cuda_device *d)
{
    if (!d->driver)
        return;
    if (d->context) {
        cuda_device_enter(d);
        for (uint32_t i = 0; i < d->module_count; i++)
            d->driver->module_unload(d->modules[i].handle);
        cuda_device_leave(d);
        d->driver->context_release(d->handle);
    }
    free(d->modules);
    pthread_mutex_destroy(&d->lock);
    *d = (struct cuda_device){0};
}

void cuda_device_enter(const struct cuda_device *d)
{
    d->driver->context_push(d->context);
}

void cuda_device_leave(const struct cuda_device *d)
{
    struct CUctx_st *ours;
    d->driver->context_pop(&ours);
}

/* ---- kernels ---------------------------------------------------------------------------- */

/* Errors of a driver that is older than the toolkit of the kernels. */
static bool is_too_old_for(int result)
{
    return result == CUDA_INVALID_IMAGE || result == CUDA_NO_BINARY ||
           result == CUDA_UNSUPPORTED_PTX;
}

static int load(struct cuda_device *d, const char *name, struct CUmod_st **out,
                struct fft_reason why)
{
    char what[160];
    const void *image = cuda_image(name);
    if (!image) {
        fft_reason_set(why, "this build has no kernels called %s", name);
        return -ENOTSUP;
    }
    struct cuda_module *more =
        realloc(d->modules, (d->module_count + 1) * sizeof(struct cuda_module));
    if (!more)
        return -ENOMEM;
    d->modules = more;
    const int result = d->driver->module_load(out, image);
    snprintf(
        what, sizeof what, "kernels %s for compute capability %u.%u with a driver for CUDA %d.%d%s",
        name, d->facts.capability / 10, d->facts.capability % 10, d->driver->version / 1000,
        d->driver->version % 1000 / 10, is_too_old_for(result) ? " (a newer one is needed)" : "");
    if (result == CUDA_OK)
        d->modules[d->module_count++] = (struct cuda_module){name, *out};
    return cuda_check(d->driver, result, what, why);
}

static int find_or_load(struct cuda_device *d, const char *name, struct CUmod_st **out,
                        struct fft_reason why)
{
    for (uint32_t i = 0; i < d->module_count; i++) {
        if (strcmp(d->modules[i].name, name) == 0) {
            *out = d->modules[i].handle;
            return 0;
        }
    }
    return load(d, name, out, why);
}

/* A thread that needs a module waits while another one loads it. */
static int find_module(struct cuda_device *d, const char *name, struct CUmod_st **out,
                       struct fft_reason why)
{
    pthread_mutex_lock(&d->lock);
    const int err = find_or_load(d, name, out, why);
    pthread_mutex_unlock(&d->lock);
    return err;
}

/*
 * A kernel needs permission for more than 48 KiB of shared memory. Each kernel name has one size,
 * so the limits of two spectra cannot conflict.
 */
static int allow_shared(struct cuda_device *d, struct CUfunc_st *function, uint32_t shared)
{
    if (shared <= FREE_SHARED)
        return CUDA_OK;
    return d->driver->function_set(function, CUDA_FUNCTION_DYNAMIC_SHARED, (int)shared);
}

int cuda_device_kernel(struct cuda_device *d, const char *module, const char *kernel,
                       uint32_t shared, struct CUfunc_st **out, struct fft_reason why)
{
    struct CUmod_st *handle = NULL;
    const int err = find_module(d, module, &handle, why);
    if (err < 0)
        return err;
    int result = d->driver->module_function(out, handle, kernel);
    if (result == CUDA_OK)
        result = allow_shared(d, *out, shared);
    return cuda_check(d->driver, result, kernel, why);
}
