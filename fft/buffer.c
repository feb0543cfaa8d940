/* buffer.c - buffers: an engine's own memory, or host memory if it has none. */
#include "fft/buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LINE = 64, HUGE_PAGE = 2 << 20 };

/*
 * A long transform reads its arrays by columns, from page to page: with small pages most of its
 * loads miss the TLB. A block as large as a huge page is aligned to one, and asks the kernel for
 * them.
 */
static void *take_host_memory(size_t bytes)
{
    const size_t align = bytes >= HUGE_PAGE ? HUGE_PAGE : LINE;
    if (bytes > SIZE_MAX - align)
        return NULL;
    const size_t whole = (bytes + align - 1) / align * align;
    void *memory = aligned_alloc(align, whole);
    if (memory && align == HUGE_PAGE)
        madvise(memory, whole, MADV_HUGEPAGE); /* advice: it may fail */
    return memory;
}

static int take(struct fft_buffer *b)
{
    const struct engine_ops *ops = b->engine->ops;

    if (!ops->buffer_create) {
        b->memory = take_host_memory(b->bytes);
        return b->memory ? 0 : -ENOMEM;
    }
    b->priv = calloc(1, ops->buffer_size ? ops->buffer_size : 1);
    return b->priv ? ops->buffer_create(b) : -ENOMEM;
}

int fft_buffer_create(struct fft_buffer **out, struct fft_engine *e, size_t bytes)
{
    *out = NULL;
    if (bytes == 0)
        return -EINVAL;
    struct fft_buffer *b = calloc(1, sizeof *b);
    if (!b)
        return -ENOMEM;
    b->engine = e;
    b->bytes = bytes;
    const int err = take(b);
    if (err < 0)
        fft_buffer_destroy(b);
    else
        *out = b;
    return err;
}

void fft_buffer_destroy(struct fft_buffer *b)
{
    if (!b)
        return;
    if (b->access)
        fft_buffer_unmap(b);
    if (b->priv)
        b->engine->ops->buffer_destroy(b);
    free(b->priv);
    free(b->memory);
    free(b);
}

int fft_buffer_map(struct fft_buffer *b, unsigned access, void **at)
{
    if (access == 0 || (access & ~(unsigned)(FFT_BUFFER_READ | FFT_BUFFER_WRITE)))
        return -EINVAL;
    if (b->access)
        return -EBUSY;
    b->access = access;
    *at = b->memory;
    const int err = b->memory ? fft_engine_wait(b->engine) : b->engine->ops->buffer_map(b, at);
    if (err < 0)
        b->access = 0;
    return err;
}

int fft_buffer_unmap(struct fft_buffer *b)
{
    if (!b->access)
        return -EINVAL;
    const int err = b->memory ? 0 : b->engine->ops->buffer_unmap(b);
    b->access = 0;
    return err;
}

int fft_engine_wait(struct fft_engine *e)
{
    return e->ops->wait ? e->ops->wait(e) : 0;
}

struct fft_buffer fft_buffer_of_host(struct fft_engine *e, const void *memory, size_t bytes)
{
    /* A pass writes to the input only in place, where it is also the output. */
    return (struct fft_buffer){.engine = e, .bytes = bytes, .memory = (void *)memory};
}
