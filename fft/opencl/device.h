/*
 * device.h - one OpenCL device, open: its profile, its context, and the programs built for it.
 *
 * Programs are kept while plans come and go, and on disk (cache.h), under the names of the driver
 * and its version, the device, the text and the options. One thread at a time.
 */
#ifndef FFTD_FFT_OPENCL_DEVICE_H
#define FFTD_FFT_OPENCL_DEVICE_H

#include "fft/opencl/cache.h"
#include "fft/opencl/driver.h"
#include "fft/opencl/plan.h"
#include "fft/opencl/search.h"

struct opencl_program {
    struct _cl_program *handle;
    char *text; /* its own */
    const char *options;
    uint32_t users;
    struct opencl_program *next;
};

struct opencl_device {
    const struct opencl_driver *driver;
    const struct opencl_cache *cache;
    struct _cl_device_id *id;
    struct _cl_context *context;
    struct opencl_profile profile; /* what plans are made for; simulated, perhaps */
    bool native_twiddles;          /* its sine and cosine were found good enough (accuracy.h) */
    char identity[640];            /* platform, device, versions: what a binary depends on */
    struct opencl_program *programs;
    uint32_t built, loaded; /* programs compiled, and found on disk */
};

/* simulated: a profile in place of the device's own, or "". close follows also a failed open. */
int opencl_device_open(struct opencl_device *d, const struct opencl_driver *driver,
                       const struct opencl_candidate *what, const struct opencl_cache *cache,
                       const char *simulated, struct reason why);
void opencl_device_close(struct opencl_device *d);

/* The program of this text, which becomes the device's own (malloc'ed), also on failure. */
int opencl_program_acquire(struct opencl_device *d, char *text, const char *options,
                           struct opencl_program **out, struct reason why);
void opencl_program_release(struct opencl_device *d, struct opencl_program *p); /* NULL is fine */

/* An in-order queue. */
int opencl_queue_create(const struct opencl_device *d, struct _cl_command_queue **out,
                        struct reason why);
/* Waits for what is in it. NULL is fine. */
void opencl_queue_destroy(const struct opencl_device *d, struct _cl_command_queue *queue);

/* A memory object, and its mapping; at: NULL while it is not mapped. */
struct opencl_memory {
    struct _cl_mem *object;
    void *at;
};

/* flags: OPENCL_MEM_ALLOC_HOST, or 0. */
int opencl_memory_allocate(const struct opencl_device *d, uint64_t flags, size_t bytes,
                           struct _cl_mem **out, const char *what, struct reason why);
/* Tables of the host's, copied: they have arrived when this returns. *out is the caller's in any
 * case. */
int opencl_tables_upload(const struct opencl_device *d, struct _cl_command_queue *queue,
                         const void *tables, size_t bytes, struct _cl_mem **out, const char *what,
                         struct reason why);

#endif
