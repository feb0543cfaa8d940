/*
 * opencl_device.h - one open OpenCL device: its profile, its context and its programs.
 *
 * Programs outlive plans in memory and on disk (opencl_cache.h). The key on disk is the driver and
 * its version, the device, the program text and the compiler options. One thread opens and closes a
 * device; between that, any threads, each with kernels and queues of its own.
 */
#ifndef FFTD_FFT_OPENCL_OPENCL_DEVICE_H
#define FFTD_FFT_OPENCL_OPENCL_DEVICE_H

#include <pthread.h>

#include "fft/opencl/opencl_cache.h"
#include "fft/opencl/opencl_driver.h"
#include "fft/opencl/opencl_plan.h"
#include "fft/opencl/opencl_search.h"

struct opencl_program {
    struct _cl_program *handle;
    char *text; /* owned, malloc'ed */
    const char *options;
    uint32_t users; /* guarded by the device's lock, as is next */
    struct opencl_program *next;
};

struct opencl_device {
    const struct opencl_driver *driver;
    const struct opencl_cache *cache;
    struct _cl_device_id *id;
    struct _cl_context *context;
    struct opencl_profile profile; /* the device that plans are made for; may be simulated */
    char identity[640];   /* platform, device, versions: everything that a binary depends on */
    pthread_mutex_t lock; /* is initialised while driver is set */
    struct opencl_program *programs; /* guarded by lock, as is pinned (opencl_pinned.h) */
    struct opencl_pinned *pinned;
};

/* simulated: the name of a profile that replaces the device's own, or "". Call close after a failed
 * open, too. */
int opencl_device_open(struct opencl_device *d, const struct opencl_driver *driver,
                       const struct opencl_candidate *candidate, const struct opencl_cache *cache,
                       const char *simulated, struct fft_reason why);
void opencl_device_close(struct opencl_device *d);

/* Finds or builds the program of this text. The device takes ownership of the text (malloc'ed),
 * also on failure. */
int opencl_program_acquire(struct opencl_device *d, char *text, const char *options,
                           struct opencl_program **out, struct fft_reason why);
void opencl_program_release(struct opencl_device *d, struct opencl_program *p); /* p may be NULL */

/* Creates an in-order queue. */
int opencl_queue_create(const struct opencl_device *d, struct _cl_command_queue **out,
                        struct fft_reason why);
/* Waits until the queue is empty. queue may be NULL. */
void opencl_queue_destroy(const struct opencl_device *d, struct _cl_command_queue *queue);

/* A memory object, and its mapping; at: NULL while it is not mapped. */
struct opencl_memory {
    struct _cl_mem *object;
    void *at;
};

/* A block of the caller's that the driver knows. */
struct opencl_pinned {
    struct opencl_memory memory;
    const char *block;
    size_t bytes;
    uint32_t users; /* guarded by the device's lock, as is next */
    struct opencl_pinned *next;
};

/* flags: OPENCL_MEM_ALLOC_HOST, or 0. */
int opencl_memory_allocate(const struct opencl_device *d, uint64_t flags, size_t bytes,
                           struct _cl_mem **out, const char *what, struct fft_reason why);
/* Maps the whole object, of `bytes`, and waits for it. flags: OPENCL_MAP_*. m->at stays NULL on
 * failure. */
int opencl_memory_map_now(const struct opencl_device *d, struct _cl_command_queue *queue,
                          struct opencl_memory *m, uint64_t flags, size_t bytes,
                          struct fft_reason why);
/* Allocates device memory and copies tables of the host into it. The copy is complete on return.
 * The caller owns *out, also on failure. */
int opencl_tables_upload(const struct opencl_device *d, struct _cl_command_queue *queue,
                         const void *tables, size_t bytes, struct _cl_mem **out,
                         struct fft_reason why);

#endif
