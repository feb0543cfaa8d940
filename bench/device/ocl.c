/* ocl.c - opens an OpenCL device and moves data. */
#include "bench/device/ocl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/device/ocl_internal.h"
#include "bench/message.h"
#include "fft/opencl/opencl_settings.h"

int ocl_report(int err, const char *why)
{
    if (err < 0)
        bench_error("%s", why[0] ? why : strerror(-err));
    return err;
}

int ocl_check(int32_t result, const char *what)
{
    char why[160] = "";
    return ocl_report(opencl_check(result, what, (struct fft_reason){why, sizeof why}), why);
}

/* ---- the device -------------------------------------------------------------------------- */

/* Returns the part after "opencl:"; NULL: another engine's name. */
static const char *name_of(const char *engine)
{
    const size_t length = strlen("opencl");
    if (strcmp(engine, "auto") == 0 || strcmp(engine, "opencl") == 0)
        return "";
    return strncmp(engine, "opencl:", length + 1) == 0 ? engine + length + 1 : NULL;
}

static int open_device(struct ocl *o, const char *engine, const char *options,
                       struct fft_reason why)
{
    struct opencl_settings settings;
    struct opencl_search search;
    const char *name = name_of(engine);
    if (!name) {
        fft_reason_set(why, "engine \"%s\": this is for opencl", engine);
        return -EINVAL;
    }
    int err = opencl_settings_parse(&settings, options, why);
    if (err == 0)
        err = opencl_driver_load(&o->driver, why);
    if (err == 0)
        err = opencl_search(&search, &o->driver, name, false, why);
    if (err != 0)
        return err;
    opencl_cache_open(&o->cache, settings.cache);
    uint32_t first = 0;
    while (!search.found[first].eligible)
        first++;
    err = opencl_device_open(&o->device, &o->driver, &search.found[first], &o->cache, "", why);
    return err < 0 ? err : opencl_queue_create(&o->device, &o->queue, why);
}

int ocl_open(struct ocl **out, const char *engine, const char *options, char *why, size_t size)
{
    struct ocl *o = *out = calloc(1, sizeof *o);
    int err = -ENOMEM;
    snprintf(why, size, "%s", strerror(ENOMEM));
    if (o)
        err = open_device(o, engine, options, (struct fft_reason){why, size});
    if (err < 0) {
        ocl_close(o);
        *out = NULL;
    }
    return err;
}

void ocl_close(struct ocl *o)
{
    if (!o)
        return;
    if (o->device.driver) {
        opencl_queue_destroy(&o->device, o->queue);
        opencl_device_close(&o->device);
    }
    free(o);
}

const char *ocl_name(const struct ocl *o)
{
    return o->device.profile.name;
}

const struct opencl_profile *ocl_profile(const struct ocl *o)
{
    return &o->device.profile;
}

/* ---- memory ------------------------------------------------------------------------------ */

int ocl_alloc(struct ocl *o, struct _cl_mem **out, size_t bytes)
{
    char why[160] = "";
    return ocl_report(opencl_memory_allocate(&o->device, 0, bytes, out, "device memory",
                                             (struct fft_reason){why, sizeof why}),
                      why);
}

void ocl_free(struct ocl *o, struct _cl_mem *m)
{
    if (m)
        o->driver.buffer_release(m);
}

int ocl_write(struct ocl *o, struct _cl_mem *to, const void *from, size_t bytes)
{
    return ocl_check(o->driver.write(o->queue, to, 1, 0, bytes, from, 0, NULL, NULL), "copying in");
}

int ocl_read(struct ocl *o, void *to, struct _cl_mem *from, size_t bytes)
{
    return ocl_check(o->driver.read(o->queue, from, 1, 0, bytes, to, 0, NULL, NULL), "copying out");
}

static int copy(struct ocl *o, struct _cl_mem *to, size_t to_at, struct _cl_mem *from, size_t bytes)
{
    return ocl_check(o->driver.copy(o->queue, from, to, 0, to_at, bytes, 0, NULL, NULL), "copying");
}

int ocl_copy(struct ocl *o, struct _cl_mem *to, struct _cl_mem *from, size_t bytes)
{
    return copy(o, to, 0, from, bytes);
}

int ocl_fill(struct ocl *o, struct _cl_mem *to, size_t bytes, const void *pattern,
             size_t pattern_bytes)
{
    size_t done = pattern_bytes < bytes ? pattern_bytes : bytes;
    int err = ocl_write(o, to, pattern, done);
    for (size_t more; err == 0 && done < bytes; done += more) {
        more = done < bytes - done ? done : bytes - done;
        err = copy(o, to, done, to, more);
    }
    return err < 0 ? err : ocl_finish(o);
}

int ocl_finish(struct ocl *o)
{
    return ocl_check(o->driver.finish(o->queue), "waiting for the device");
}
