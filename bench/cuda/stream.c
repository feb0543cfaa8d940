/*
 * stream.c - cuda-bench-stream: measures spectra from host memory to host memory, and the bus.
 *
 *     cuda-bench-stream [DEVICE [latency]]     as in "cuda:DEVICE" (0); only latency
 *
 * Bus: consecutive copies of pinned memory. The rest: bench/stream.h.
 */
#include <errno.h>

#include "bench/stream.h"
#include "fft/cuda/cuda_state.h"
#include "fft/cuda/engine_cuda.h"

static int copy_chunks(const struct cuda_device *device, size_t chunk, double *rate,
                       struct fft_reason why)
{
    const struct cuda_driver *d = device->driver;
    struct CUstream_st *stream = NULL;
    struct cuda_pinned from = {0};
    cuda_address to = 0;
    int result = d->stream_create(&stream, CUDA_STREAM_NON_BLOCKING);
    if (result == CUDA_OK)
        result = d->memory_alloc(&to, chunk);
    int err = result == CUDA_OK ? cuda_pinned_alloc(&from, d, chunk, why) : -EIO;
    double began = 0;
    for (uint32_t i = 0; err == 0 && i <= STREAM_CHUNKS; i++) {
        if (i == 1) { /* the first one warms up */
            d->stream_finish(stream);
            began = stream_now();
        }
        result = d->copy_in(to, from.memory, chunk, stream);
        err = cuda_error(result);
    }
    if (err == 0)
        err = cuda_error(d->stream_finish(stream));
    *rate = (double)chunk * STREAM_CHUNKS / (stream_now() - began);
    if (to)
        d->memory_free(to);
    cuda_pinned_free(&from, d);
    if (stream)
        d->stream_destroy(stream);
    return err;
}

/* Of the engine's first device. */
static int bus_rate(struct fft_engine *e, size_t chunk, double *rate, struct fft_reason why)
{
    const struct cuda_engine *cuda = e->priv;
    cuda_device_enter(&cuda->devices[0]);
    const int err = copy_chunks(&cuda->devices[0], chunk, rate, why);
    cuda_device_leave(&cuda->devices[0]);
    return err;
}

int main(int argc, char **argv)
{
    return stream_main(&(struct stream_bench){&cuda_engine_ops, "0", bus_rate}, argc, argv);
}
