/* cuda_memory.c - buffers of the engine: device memory and its host mirror. */
#include "fft/cuda/cuda_memory.h"

#include <stdio.h>

static int check(const struct fft_buffer *b, int result, const char *what)
{
    const struct cuda_engine *cuda = b->engine->priv;
    return cuda_check(&cuda->driver, result, what, fft_engine_reason(b->engine));
}

int cuda_memory_create(struct fft_buffer *b)
{
    const struct cuda_engine *cuda = b->engine->priv;
    struct cuda_memory *m = b->priv;
    cuda_device_enter(&cuda->devices[0]);
    const int result = cuda->driver.memory_alloc(&m->address, b->bytes);
    cuda_device_leave(&cuda->devices[0]);
    char what[64];
    if (result != CUDA_OK)
        m->address = 0;
    snprintf(what, sizeof what, "a buffer of %zu KiB of device memory", (b->bytes + 1023) >> 10);
    return check(b, result, what);
}

void cuda_memory_destroy(struct fft_buffer *b)
{
    const struct cuda_engine *cuda = b->engine->priv;
    struct cuda_memory *m = b->priv;
    cuda_device_enter(&cuda->devices[0]);
    cuda->driver.stream_finish(cuda->stream); /* passes may still use it */
    if (m->address)
        cuda->driver.memory_free(m->address);
    cuda_pinned_free(&m->mirror, &cuda->driver);
    cuda_device_leave(&cuda->devices[0]);
}

static int fill_mirror(struct fft_buffer *b)
{
    const struct cuda_engine *cuda = b->engine->priv;
    struct cuda_memory *m = b->priv;
    int err = 0;
    if (!m->mirror.bytes)
        err = cuda_pinned_alloc(&m->mirror, &cuda->driver, b->bytes, fft_engine_reason(b->engine));
    if (err == 0 && (b->access & FFT_BUFFER_READ))
        err = check(b, cuda->driver.copy_out(m->mirror.memory, m->address, b->bytes, cuda->stream),
                    "copying a buffer from the device");
    if (err < 0)
        return err;
    /* Also without READ: the copy that unmap started reads the mirror. */
    return check(b, cuda->driver.stream_finish(cuda->stream), "waiting for transforms");
}

int cuda_memory_map(struct fft_buffer *b, void **at)
{
    const struct cuda_engine *cuda = b->engine->priv;
    const struct cuda_memory *m = b->priv;
    cuda_device_enter(&cuda->devices[0]);
    const int err = fill_mirror(b);
    cuda_device_leave(&cuda->devices[0]);
    *at = m->mirror.memory;
    return err;
}

int cuda_memory_unmap(struct fft_buffer *b)
{
    const struct cuda_engine *cuda = b->engine->priv;
    const struct cuda_memory *m = b->priv;
    if (!(b->access & FFT_BUFFER_WRITE))
        return 0;
    cuda_device_enter(&cuda->devices[0]);
    const int result = cuda->driver.copy_in(m->address, m->mirror.memory, b->bytes, cuda->stream);
    cuda_device_leave(&cuda->devices[0]);
    return check(b, result, "copying a buffer to the device");
}

int cuda_memory_wait(struct fft_engine *e)
{
    const struct cuda_engine *cuda = e->priv;
    cuda_device_enter(&cuda->devices[0]);
    const int result = cuda->driver.stream_finish(cuda->stream);
    cuda_device_leave(&cuda->devices[0]);
    return cuda_check(&cuda->driver, result, "waiting for transforms", fft_engine_reason(e));
}
