/* opencl_memory.c - creates, maps and destroys the buffers of transforms. */
#include "fft/opencl/opencl_memory.h"

#include <errno.h>

enum { ALIGN = 64 };

int opencl_memory_create(struct fft_buffer *b)
{
    struct opencl_engine *cl = b->engine->priv;
    struct opencl_memory *m = b->priv;
    const uint64_t flags = cl->device.profile.unified ? OPENCL_MEM_ALLOC_HOST : 0;
    return opencl_memory_allocate(&cl->device, flags, b->bytes, &m->object, "a buffer",
                                  fft_engine_reason(b->engine));
}

void opencl_memory_destroy(struct fft_buffer *b)
{
    const struct opencl_engine *cl = b->engine->priv;
    const struct opencl_memory *m = b->priv;
    if (m->at)
        cl->driver.unmap(cl->queue, m->object, m->at, 0, NULL, NULL);
    if (!m->object)
        return;
    cl->driver.finish(cl->queue); /* passes may still use it */
    cl->driver.buffer_release(m->object);
}

static uint64_t flags_of(unsigned access)
{
    if (!(access & FFT_BUFFER_READ))
        return OPENCL_MAP_WRITE_WHOLE;
    return OPENCL_MAP_READ | (access & FFT_BUFFER_WRITE ? OPENCL_MAP_WRITE : 0);
}

int opencl_memory_map(struct fft_buffer *b, void **at)
{
    const struct opencl_engine *cl = b->engine->priv;
    struct opencl_memory *m = b->priv;
    const struct fft_reason why = fft_engine_reason(b->engine);
    int32_t result = OPENCL_OK;
    *at = cl->driver.map(cl->queue, m->object, 1, flags_of(b->access), 0, b->bytes, 0, NULL, NULL,
                         &result);
    if (result != OPENCL_OK)
        return opencl_check(result, "mapping a buffer", why);
    m->at = *at;
    if ((uintptr_t)*at % ALIGN == 0)
        return 0;
    fft_reason_set(why, "mapping a buffer: the driver aligns it to less than %d bytes", ALIGN);
    opencl_memory_unmap(b);
    return -EIO;
}

int opencl_memory_unmap(struct fft_buffer *b)
{
    const struct opencl_engine *cl = b->engine->priv;
    struct opencl_memory *m = b->priv;
    const int32_t result = cl->driver.unmap(cl->queue, m->object, m->at, 0, NULL, NULL);
    m->at = NULL;
    return opencl_check(result, "unmapping a buffer", fft_engine_reason(b->engine));
}

int opencl_memory_wait(struct fft_engine *e)
{
    const struct opencl_engine *cl = e->priv;
    return opencl_check(cl->driver.finish(cl->queue), "waiting for transforms",
                        fft_engine_reason(e));
}
