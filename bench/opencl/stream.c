/*
 * stream.c - opencl-bench-stream: measures spectra from host memory to host memory, and the bus.
 *
 *     opencl-bench-stream [DEVICE [latency]]     as in --engine opencl:DEVICE; only latency
 *
 * Bus: consecutive copies of memory that the driver allocates. The rest: bench/stream.h.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench/stream.h"
#include "fft/opencl/engine_opencl.h"
#include "fft/opencl/state.h"

enum { CHUNKS = 400 };

static int32_t copy_chunks(const struct opencl_engine *cl, struct _cl_mem *to, const void *from,
                           size_t chunk, double *rate)
{
    double began = 0;
    int32_t result = OPENCL_OK;
    for (uint32_t i = 0; result == OPENCL_OK && i <= CHUNKS; i++) {
        if (i == 1) { /* the first one warms up */
            result = cl->driver.finish(cl->queue);
            began = stream_now();
        }
        if (result == OPENCL_OK)
            result = cl->driver.write(cl->queue, to, 0, 0, chunk, from, 0, NULL, NULL);
    }
    if (result == OPENCL_OK)
        result = cl->driver.finish(cl->queue);
    *rate = (double)chunk * CHUNKS / (stream_now() - began);
    return result;
}

static int bus_rate(const struct opencl_engine *cl, size_t chunk, double *rate, struct reason why)
{
    struct _cl_mem *to = NULL;
    struct opencl_memory from = {NULL, NULL};
    int32_t result = OPENCL_OK;
    int err = opencl_memory_allocate(&cl->device, 0, chunk, &to, "device memory", why);
    if (err == 0)
        err = opencl_memory_allocate(&cl->device, OPENCL_MEM_ALLOC_HOST, chunk, &from.object,
                                     "pinned memory", why);
    if (err == 0) {
        from.at = cl->driver.map(cl->queue, from.object, 1, OPENCL_MAP_WRITE_WHOLE, 0, chunk, 0,
                                 NULL, NULL, &result);
        if (result == OPENCL_OK) {
            memset(from.at, 1, chunk);
            result = copy_chunks(cl, to, from.at, chunk, rate);
            cl->driver.unmap(cl->queue, from.object, from.at, 0, NULL, NULL);
        }
        err = opencl_check(result, "copies across the bus", why);
    }
    if (to)
        cl->driver.buffer_release(to);
    if (from.object)
        cl->driver.buffer_release(from.object);
    return err;
}

static int measure_bus(const struct fft_engine *e, double *best)
{
    static const size_t chunks[] = {1 << 20, 4 << 20, 16 << 20, 64 << 20};
    char why[200] = "";
    int err = 0;
    for (size_t i = 0; err == 0 && i < sizeof chunks / sizeof chunks[0]; i++) {
        double rate = 0;
        err = bus_rate(e->priv, chunks[i], &rate, (struct reason){why, sizeof why});
        *best = rate > *best ? rate : *best;
        if (err == 0)
            stream_print_bus(chunks[i], rate);
    }
    return err < 0 ? stream_say("bus", err, why) : 0;
}

int main(int argc, char **argv)
{
    static const struct engine_ops *const list[] = {&opencl_engine_ops, NULL};
    char name[80], why[400];
    struct fft_engine *e = NULL;
    double bus = 0;

    snprintf(name, sizeof name, "opencl%s%s", argc > 1 ? ":" : "", argc > 1 ? argv[1] : "");
    const struct fft_engine_config config = {.name = name};
    unsigned char *ring = stream_ring();
    if (!ring)
        return stream_say("ring", -ENOMEM, NULL) != 0;
    int err = fft_engine_open_from(list, &config, &e, (struct reason){why, sizeof why});
    if (err < 0)
        return stream_say("engine", err, why) != 0;
    err = measure_bus(e, &bus);
    if (err == 0)
        err = stream_measure(e, ring, bus, argc > 2 && strcmp(argv[2], "latency") == 0);
    printf("%s\n", fft_engine_describe(e));
    fft_engine_close(e);
    return err < 0;
}
