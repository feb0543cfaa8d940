/* opencl_pinned.c - memory objects that use a block of the caller's, mapped as long as they exist.
 */
#include "fft/opencl/opencl_pinned.h"

#include <stdlib.h>

static void destroy(const struct opencl_device *d, struct _cl_command_queue *queue,
                    struct opencl_pinned *p)
{
    const struct opencl_driver *driver = d->driver;
    if (p->memory.at) {
        driver->unmap(queue, p->memory.object, p->memory.at, 0, NULL, NULL);
        driver->finish(queue);
    }
    if (p->memory.object)
        driver->buffer_release(p->memory.object);
    free(p);
}

static struct opencl_pinned *create(const struct opencl_device *d, struct _cl_command_queue *queue,
                                    const void *block, size_t bytes)
{
    int32_t result = OPENCL_OK;
    struct opencl_pinned *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->block = block;
    p->bytes = bytes;
    p->memory.object = d->driver->buffer_create(
        d->context, OPENCL_MEM_READ_WRITE | OPENCL_MEM_USE_HOST, bytes, (void *)block, &result);
    if (result != OPENCL_OK)
        p->memory.object = NULL;
    else /* mapped for writing of the whole: the driver copies nothing, and the block stays */
        opencl_memory_map_now(d, queue, &p->memory, OPENCL_MAP_WRITE_WHOLE, bytes,
                              (struct fft_reason){NULL, 0});
    if (p->memory.at == block)
        return p;
    destroy(d, queue, p);
    return NULL;
}

struct opencl_pinned *opencl_pinned_acquire(struct opencl_device *d,
                                            struct _cl_command_queue *queue, const void *block,
                                            size_t bytes)
{
    pthread_mutex_lock(&d->lock);
    struct opencl_pinned *p = d->pinned;
    while (p && (p->block != block || p->bytes != bytes))
        p = p->next;
    if (!p && (p = create(d, queue, block, bytes))) {
        p->next = d->pinned;
        d->pinned = p;
    }
    if (p)
        p->users++;
    pthread_mutex_unlock(&d->lock);
    return p;
}

void opencl_pinned_release(struct opencl_device *d, struct _cl_command_queue *queue,
                           struct opencl_pinned *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&d->lock);
    if (--p->users == 0) {
        struct opencl_pinned **at = &d->pinned;
        while (*at != p)
            at = &(*at)->next;
        *at = p->next;
        destroy(d, queue, p);
    }
    pthread_mutex_unlock(&d->lock);
}
