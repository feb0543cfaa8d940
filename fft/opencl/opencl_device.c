/* opencl_device.c - opens a device, reads its profile, and creates queues and memory. */
#include "fft/opencl/opencl_device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the profile ------------------------------------------------------------------------ */

/* Keeps the first failure in *result. */
static void query(const struct opencl_device *d, uint32_t info, void *value, size_t size,
                  int32_t *result)
{
    const int32_t failed = d->driver->device_info(d->id, info, size, value, NULL);
    if (*result == OPENCL_OK)
        *result = failed;
}

static uint32_t query_u32(const struct opencl_device *d, uint32_t info, int32_t *result)
{
    uint32_t value = 0;
    query(d, info, &value, sizeof value, result);
    return value;
}

static uint64_t query_u64(const struct opencl_device *d, uint32_t info, int32_t *result)
{
    uint64_t value = 0;
    query(d, info, &value, sizeof value, result);
    return value;
}

static uint32_t query_size(const struct opencl_device *d, uint32_t info, int32_t *result)
{
    size_t value = 0;
    query(d, info, &value, sizeof value, result);
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* Returns a malloc'ed copy of a driver's text, "" if there is none. NULL: out of memory. */
static char *query_text(const struct opencl_device *d, uint32_t info)
{
    size_t size = 0;
    if (d->driver->device_info(d->id, info, 0, NULL, &size) != OPENCL_OK)
        size = 0;
    char *text = calloc(1, size + 1);
    if (text && size && d->driver->device_info(d->id, info, size, text, NULL) != OPENCL_OK)
        text[0] = '\0';
    return text;
}

static bool has_extension(const char *all, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = all; (at = strstr(at, name)); at += length)
        if ((at == all || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static int read_extensions(struct opencl_device *d)
{
    char *all = query_text(d, OPENCL_DEVICE_EXTENSIONS);
    if (!all)
        return OPENCL_OUT_OF_HOST_MEMORY;
    d->profile.fp64 = has_extension(all, "cl_khr_fp64");
    d->profile.fp16 = has_extension(all, "cl_khr_fp16");
    d->profile.subgroups = has_extension(all, "cl_khr_subgroups");
    free(all);
    return OPENCL_OK;
}

/* The driver may support more local memory than it reports. */
static void find_local_memory(const struct opencl_device *d, struct opencl_profile *p)
{
    int32_t result = OPENCL_OK;
    if (!strstr(p->vendor, "NVIDIA"))
        return;
    const uint32_t major = query_u32(d, OPENCL_DEVICE_NVIDIA_MAJOR, &result);
    const uint32_t bytes =
        opencl_nvidia_local_bytes(major, query_u32(d, OPENCL_DEVICE_NVIDIA_MINOR, &result));
    if (result != OPENCL_OK || bytes <= p->local_bytes)
        return;
    p->local_reported = p->local_bytes;
    p->local_bytes = bytes;
}

static int32_t read_profile(struct opencl_device *d, const struct opencl_candidate *candidate)
{
    int32_t result = OPENCL_OK;
    struct opencl_profile *p = &d->profile;
    char *vendor = query_text(d, OPENCL_DEVICE_VENDOR);
    if (!vendor)
        return OPENCL_OUT_OF_HOST_MEMORY;
    *p = (struct opencl_profile){
        .type = candidate->type & OPENCL_TYPE_GPU   ? OPENCL_GPU
                : candidate->type & OPENCL_TYPE_CPU ? OPENCL_CPU
                                                    : OPENCL_OTHER,
        .local_is_fast = query_u32(d, OPENCL_DEVICE_LOCAL_TYPE, &result) == OPENCL_LOCAL_TYPE_LOCAL,
        .unified = query_u32(d, OPENCL_DEVICE_UNIFIED, &result) != 0,
        .units = query_u32(d, OPENCL_DEVICE_COMPUTE_UNITS, &result),
        .clock_mhz = query_u32(d, OPENCL_DEVICE_CLOCK_MHZ, &result),
        .max_group = query_size(d, OPENCL_DEVICE_GROUP_SIZE, &result),
        .local_bytes = (uint32_t)query_u64(d, OPENCL_DEVICE_LOCAL_BYTES, &result),
        .cache_bytes = query_u64(d, OPENCL_DEVICE_CACHE_BYTES, &result),
        .memory_bytes = query_u64(d, OPENCL_DEVICE_MEMORY_BYTES, &result),
        .alloc_bytes = query_u64(d, OPENCL_DEVICE_ALLOC_BYTES, &result),
    };
    snprintf(p->name, sizeof p->name, "%s", candidate->name);
    snprintf(p->vendor, sizeof p->vendor, "%.31s", vendor);
    free(vendor);
    find_local_memory(d, p);
    return result == OPENCL_OK ? read_extensions(d) : result;
}

/* Simulates the properties that plans depend on. Memory sizes stay those of the device. */
static int simulate(struct opencl_device *d, const char *name, struct fft_reason why)
{
    const struct opencl_profile own = d->profile;
    if (!name[0])
        return 0;
    if (!opencl_profile_find(name, &d->profile)) {
        fft_reason_set(why, "there is no profile \"%s\"", name);
        return -EINVAL;
    }
    d->profile.memory_bytes = own.memory_bytes;
    d->profile.alloc_bytes = own.alloc_bytes;
    return 0;
}

static int identify(struct opencl_device *d, const struct opencl_candidate *candidate)
{
    static const uint32_t infos[] = {OPENCL_DEVICE_VENDOR, OPENCL_DEVICE_NAME,
                                     OPENCL_DEVICE_VERSION, OPENCL_DRIVER_VERSION};
    char version[128] = "";
    d->driver->platform_info(candidate->platform, OPENCL_PLATFORM_VERSION, sizeof version, version,
                             NULL);
    version[sizeof version - 1] = '\0';
    int used =
        snprintf(d->identity, sizeof d->identity, "%s, %s", candidate->platform_name, version);
    for (size_t i = 0; i < sizeof infos / sizeof infos[0]; i++) {
        char *text = query_text(d, infos[i]);
        if (!text)
            return -ENOMEM;
        used += snprintf(d->identity + used, sizeof d->identity - (size_t)used, ", %.96s", text);
        free(text);
    }
    return 0;
}

/* ---- opening ---------------------------------------------------------------------------- */

int opencl_device_open(struct opencl_device *d, const struct opencl_driver *driver,
                       const struct opencl_candidate *candidate, const struct opencl_cache *cache,
                       const char *simulated, struct fft_reason why)
{
    *d = (struct opencl_device){.driver = driver, .cache = cache, .id = candidate->device};
    pthread_mutex_init(&d->lock, NULL);
    int err = opencl_check(read_profile(d, candidate), "device query", why);
    if (err == 0)
        err = identify(d, candidate);
    if (err == 0)
        err = simulate(d, simulated, why);
    if (err < 0)
        return err;
    int32_t result = OPENCL_OK;
    d->context = driver->context_create(NULL, 1, &d->id, NULL, NULL, &result);
    if (result != OPENCL_OK)
        d->context = NULL;
    return opencl_check(result, "a context", why);
}

void opencl_device_close(struct opencl_device *d)
{
    if (!d->driver)
        return;
    while (d->programs) {
        struct opencl_program *p = d->programs;
        d->programs = p->next;
        d->driver->program_release(p->handle);
        free(p->text);
        free(p);
    }
    if (d->context)
        d->driver->context_release(d->context);
    pthread_mutex_destroy(&d->lock);
    *d = (struct opencl_device){0};
}

int opencl_queue_create(const struct opencl_device *d, struct _cl_command_queue **out,
                        struct fft_reason why)
{
    int32_t result = OPENCL_OK;
    *out = d->driver->queue_create(d->context, d->id, 0, &result);
    if (result != OPENCL_OK)
        *out = NULL;
    return opencl_check(result, "a command queue", why);
}

void opencl_queue_destroy(const struct opencl_device *d, struct _cl_command_queue *queue)
{
    if (!queue)
        return;
    d->driver->finish(queue);
    d->driver->queue_release(queue);
}

int opencl_memory_allocate(const struct opencl_device *d, uint64_t flags, size_t bytes,
                           struct _cl_mem **out, const char *what, struct fft_reason why)
{
    int32_t result = OPENCL_OK;
    *out = d->driver->buffer_create(d->context, OPENCL_MEM_READ_WRITE | flags, bytes ? bytes : 1,
                                    NULL, &result);
    if (result != OPENCL_OK)
        *out = NULL;
    return opencl_check(result, what, why);
}

int opencl_memory_map_now(const struct opencl_device *d, struct _cl_command_queue *queue,
                          struct opencl_memory *m, uint64_t flags, size_t bytes,
                          struct fft_reason why)
{
    int32_t result = OPENCL_OK;
    m->at = d->driver->map(queue, m->object, 1, flags, 0, bytes, 0, NULL, NULL, &result);
    if (result != OPENCL_OK)
        m->at = NULL;
    return opencl_check(result, "mapping memory", why);
}

int opencl_tables_upload(const struct opencl_device *d, struct _cl_command_queue *queue,
                         const void *tables, size_t bytes, struct _cl_mem **out,
                         struct fft_reason why)
{
    const int err = opencl_memory_allocate(d, 0, bytes, out, "memory for tables", why);
    if (err < 0)
        return err;
    return opencl_check(d->driver->write(queue, *out, 1, 0, bytes, tables, 0, NULL, NULL),
                        "copying tables to the device", why);
}
