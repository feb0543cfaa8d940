/*
 * stream.c - cuda-bench-stream: measures spectra from host memory to host memory, and the bus.
 *
 *     cuda-bench-stream [DEVICE [latency]]     as in "cuda:DEVICE"; only latency
 *
 * Bus: consecutive copies of pinned memory. The rest: bench/stream.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/stream.h"
#include "fft/cuda/device.h"
#include "fft/cuda/engine_cuda.h"
#include "fft/cuda/pinned.h"

enum { CHUNKS = 400 };

static int bus_rate(const struct cuda_device *device, size_t chunk, double *rate)
{
    const struct cuda_driver *d = device->driver;
    struct CUstream_st *stream = NULL;
    struct cuda_pinned from = {0};
    cuda_address to = 0;
    const struct reason nobody = {NULL, 0};
    int result = d->stream_create(&stream, CUDA_STREAM_NON_BLOCKING);
    if (result == CUDA_OK)
        result = d->memory_alloc(&to, chunk);
    int err = result == CUDA_OK ? cuda_pinned_alloc(&from, d, chunk, nobody) : -EIO;
    double began = 0;
    for (uint32_t i = 0; err == 0 && i <= CHUNKS; i++) {
        if (i == 1) { /* the first one warms up */
            d->stream_finish(stream);
            began = stream_now();
        }
        result = d->copy_in(to, from.memory, chunk, stream);
        err = cuda_error(result);
    }
    if (err == 0)
        err = cuda_error(d->stream_finish(stream));
    *rate = (double)chunk * CHUNKS / (stream_now() - began);
    if (to)
        d->memory_free(to);
    cuda_pinned_free(&from, d);
    if (stream)
        d->stream_destroy(stream);
    return err;
}

static int measure_bus(uint32_t index, double *best)
{
    static const size_t chunks[] = {1 << 20, 4 << 20, 16 << 20, 64 << 20};
    struct cuda_driver driver;
    struct cuda_device device = {0};
    char why[200];
    int err = cuda_driver_load(&driver, (struct reason){why, sizeof why});
    if (err == 0)
        err = cuda_device_open(&device, &driver, index, (struct reason){why, sizeof why});
    if (err < 0)
        return stream_say("bus", err, why);
    cuda_device_enter(&device);
    for (size_t i = 0; err == 0 && i < sizeof chunks / sizeof chunks[0]; i++) {
        double rate = 0;
        err = bus_rate(&device, chunks[i], &rate);
        *best = rate > *best ? rate : *best;
        stream_print_bus(chunks[i], rate);
    }
    cuda_device_leave(&device);
    cuda_device_close(&device);
    return err;
}

int main(int argc, char **argv)
{
    static const struct engine_ops *const list[] = {&cuda_engine_ops, NULL};
    const char *device = argc > 1 ? argv[1] : "0";
    char name[40], why[300];
    struct fft_engine *e = NULL;
    double bus = 0;

    snprintf(name, sizeof name, "cuda:%s", device);
    const struct fft_engine_config config = {.name = name};
    unsigned char *ring = stream_ring();
    if (!ring)
        return stream_say("ring", -ENOMEM, NULL) != 0;
    int err = fft_engine_open_from(list, &config, &e, (struct reason){why, sizeof why});
    if (err < 0)
        return stream_say("engine", err, why) != 0;
    err = measure_bus((uint32_t)strtoul(device, NULL, 10), &bus);
    if (err == 0)
        err = stream_measure(e, ring, bus, argc > 2 && strcmp(argv[2], "latency") == 0);
    printf("%s\n", fft_engine_describe(e));
    fft_engine_close(e);
    return err < 0;
}
