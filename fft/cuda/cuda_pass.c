/* cuda_pass.c - initialises, runs and frees the passes of transforms. */
#include "fft/cuda/cuda_pass.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "fft/cuda/cuda_memory.h"
#include "fft/cuda/cuda_state.h"

enum { ALIGN = 256 };

static int find_kernels(struct cuda_pass_state *s, struct cuda_device *d, struct fft_reason why)
{
    const char *module, *name;
    uint32_t shared;
    int err = 0;
    for (uint32_t i = 0; err == 0 && cuda_pass_kernel(&s->plan, i, &module, &name, &shared); i++)
        err = cuda_kernels_add(&s->kernels, d, module, name, shared, why);
    if (err == 0 && s->plan.cluster) /* else more than 8 blocks are refused */
        err = cuda_check(
            d->driver,
            d->driver->function_set(s->kernels.functions[0], CUDA_FUNCTION_LARGE_CLUSTER, 1), name,
            why);
    return err;
}

/* While the device has too little memory and the plan can shrink, tries again with less scratch. */
static int allocate_memory(struct cuda_pass_state *s, const struct cuda_device *d,
                           struct fft_reason why)
{
    const size_t tables = (s->plan.tables_bytes + ALIGN - 1) / ALIGN * ALIGN;
    size_t bytes;
    int result;
    do {
        bytes = tables + s->plan.scratch_bytes;
        if (bytes == 0)
            return 0;
        result = d->driver->memory_alloc(&s->memory, bytes);
    } while (result == CUDA_OUT_OF_MEMORY && cuda_pass_shrink(&s->plan));
    if (result != CUDA_OK) {
        char what[80];
        s->memory = 0;
        snprintf(what, sizeof what, "%zu KiB of device memory for a transform of %u points",
                 (bytes + 1023) >> 10, s->plan.pass.n);
        return cuda_check(d->driver, result, what, why);
    }
    s->tables = s->memory;
    s->scratch = s->memory + tables;
    return 0;
}

/*
 * If the wait fails, the copy may still be running: cuda_pass_finish waits again and frees the
 * block.
 */
static int upload(struct cuda_pass_state *s, const struct cuda_engine *cuda, struct fft_reason why)
{
    if (s->plan.tables_bytes == 0)
        return 0;
    s->upload = malloc(s->plan.tables_bytes);
    if (!s->upload)
        return -ENOMEM;
    cuda_pass_tables(&s->plan, s->upload);
    int result = cuda->driver.copy_in(s->tables, s->upload, s->plan.tables_bytes, cuda->stream);
    if (result == CUDA_OK)
        result = cuda->driver.stream_finish(cuda->stream);
    if (result != CUDA_OK)
        return cuda_check(&cuda->driver, result, "copying tables to the device", why);
    free(s->upload);
    s->upload = NULL;
    return 0;
}

int cuda_pass_init(struct engine_pass *p, struct fft_reason why)
{
    struct cuda_engine *cuda = p->engine->priv;
    struct cuda_pass_state *s = p->priv;
    int err = cuda_pass_plan(&s->plan, &cuda->devices[0].facts, p);
    if (err < 0) {
        fft_reason_set(why, "no kernels for a transform of %u points", p->n);
        return err;
    }
    cuda_device_enter(&cuda->devices[0]);
    err = find_kernels(s, &cuda->devices[0], why);
    if (err == 0)
        err = allocate_memory(s, &cuda->devices[0], why);
    if (err == 0)
        err = upload(s, cuda, why);
    cuda_device_leave(&cuda->devices[0]);
    return err;
}

bool cuda_pass_joins_axes(const struct engine_pass *p)
{
    const struct cuda_engine *cuda = p->engine->priv;
    return cuda_pass_joins(&cuda->devices[0].facts, p);
}

void cuda_pass_finish(struct engine_pass *p)
{
    const struct cuda_engine *cuda = p->engine->priv;
    const struct cuda_pass_state *s = p->priv;
    if (!s->memory)
        return;
    cuda_device_enter(&cuda->devices[0]);
    cuda->driver.stream_finish(cuda->stream);
    free(s->upload);
    cuda->driver.memory_free(s->memory);
    cuda_device_leave(&cuda->devices[0]);
}

int cuda_pass_run(const struct engine_pass *p, struct fft_buffer *from, struct fft_buffer *to)
{
    const struct cuda_engine *cuda = p->engine->priv;
    const struct cuda_pass_state *s = p->priv;
    const struct cuda_memory *in = from->priv, *out = to->priv;
    const struct cuda_pass_memory memory = {
        .from = in->address, .to = out->address, .tables = s->tables, .scratch = s->scratch};
    struct cuda_launch next;
    int err = 0;

    cuda_device_enter(&cuda->devices[0]);
    for (uint32_t i = 0;
         err == 0 && cuda_pass_launch(&s->plan, &memory, p->rows[0].count, i, &next); i++)
        err = cuda_kernels_launch(&s->kernels, &cuda->devices[0], cuda->stream, &next,
                                  fft_engine_reason(p->engine));
    cuda_device_leave(&cuda->devices[0]);
    return err;
}
