/*
 * stream.c - opencl-bench-stream: measures spectra from host memory to host memory, and the bus.
 *
 *     opencl-bench-stream [DEVICE [latency]]     as in --engine opencl:DEVICE; only latency
 *
 * Bus: consecutive copies of memory that the driver allocates. The rest: bench/stream.h.
 */
#include <string.h>

#include "bench/stream.h"
#include "fft/opencl/engine_opencl.h"
#include "fft/opencl/opencl_state.h"

static int32_t copy_chunks(const struct opencl_engine *cl, struct _cl_mem *to, const void *from,
                           size_t chunk, double *rate)
{
    double began = 0;
    int32_t result = OPENCL_OK;
    for (uint32_t i = 0; result == OPENCL_OK && i <= STREAM_CHUNKS; i++) {
        if (i == 1) { /* the first one warms up */
            result = cl->driver.finish(cl->queue);
            began = stream_now();
        }
        if (result == OPENCL_OK)
            result = cl->driver.write(cl->queue, to, 0, 0, chunk, from, 0, NULL, NULL);
    }
    if (result == OPENCL_OK)
        result = cl->driver.finish(cl->queue);
    *rate = (double)chunk * STREAM_CHUNKS / (stream_now() - began);
    return result;
}

static int bus_rate(struct fft_engine *e, size_t chunk, double *rate, struct fft_reason why)
{
    const struct opencl_engine *cl = e->priv;
    struct _cl_mem *to = NULL;
    struct opencl_memory from = {NULL, NULL};
    int err = opencl_memory_allocate(&cl->device, 0, chunk, &to, "device memory", why);
    if (err == 0)
        err = opencl_memory_allocate(&cl->device, OPENCL_MEM_ALLOC_HOST, chunk, &from.object,
                                     "pinned memory", why);
    if (err == 0)
        err = opencl_memory_map_now(&cl->device, cl->queue, &from, OPENCL_MAP_WRITE_WHOLE, chunk,
                                    why);
    if (err == 0) {
        memset(from.at, 1, chunk);
        err = opencl_check(copy_chunks(cl, to, from.at, chunk, rate), "copies across the bus", why);
        cl->driver.unmap(cl->queue, from.object, from.at, 0, NULL, NULL);
    }
    if (to)
        cl->driver.buffer_release(to);
    if (from.object)
        cl->driver.buffer_release(from.object);
    return err;
}

int main(int argc, char **argv)
{
    return stream_main(&(struct stream_bench){&opencl_engine_ops, NULL, bus_rate}, argc, argv);
}
