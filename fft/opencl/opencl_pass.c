/* opencl_pass.c - plans, builds and runs one pass of a transform. */
#include "fft/opencl/opencl_pass.h"

#include <errno.h>
#include <stdlib.h>

#include "fft/opencl/opencl_memory.h"
#include "fft/opencl/opencl_state.h"

static int build(struct opencl_pass_state *s, struct opencl_device *d, struct fft_reason why)
{
    const size_t length = opencl_pass_source(&s->plan, NULL, 0);
    char *text = malloc(length + 1);
    if (!text)
        return -ENOMEM;
    opencl_pass_source(&s->plan, text, length + 1);
    const struct opencl_kernels_source source = {text, s->plan.options, s->plan.kernels,
                                                 s->plan.kernel_count};
    return opencl_kernels_init(&s->kernels, d, &source, why);
}

/* The launches over all rows. */
static bool launches(const void *plan, uint32_t index, struct opencl_launch *out)
{
    const struct opencl_pass *p = plan;
    return opencl_pass_launch(p, p->spec.rows[0].count, index, out);
}

static int plan_once(struct opencl_pass_state *s, struct opencl_engine *cl,
                     const struct engine_pass *p, const struct opencl_choice *choice,
                     struct fft_reason why)
{
    const int err = opencl_pass_plan(&s->plan, &cl->device.profile, p, choice);
    if (err < 0) {
        fft_reason_set(why, "no kernels for a transform of %u points", p->n);
        return err;
    }
    return build(s, &cl->device, why);
}

/* The built kernels limit the size of a group, as for spectra (opencl_batch_queue_init.c). */
static int plan(struct opencl_pass_state *s, struct opencl_engine *cl, const struct engine_pass *p,
                struct fft_reason why)
{
    struct opencl_choice choice = cl->settings.choice;
    const int err = plan_once(s, cl, p, &choice, why);
    choice.group = err == 0 ? opencl_kernels_limit(&s->kernels, launches, &s->plan) : 0;
    if (!choice.group)
        return err;
    opencl_kernels_finish(&s->kernels);
    return plan_once(s, cl, p, &choice, why);
}

static int allocate_memory(struct opencl_pass_state *s, const struct opencl_engine *cl,
                           struct fft_reason why)
{
    const size_t bytes = s->plan.tables_bytes;
    int err = 0;
    if (s->plan.scratch_bytes)
        err = opencl_memory_allocate(&cl->device, 0, s->plan.scratch_bytes, &s->scratch,
                                     "memory for a transform", why);
    if (err < 0 || bytes == 0)
        return err;
    void *tables = malloc(bytes);
    if (!tables)
        return -ENOMEM;
    opencl_pass_tables(&s->plan, tables);
    err = opencl_tables_upload(&cl->device, cl->queue, tables, bytes, &s->tables, why);
    free(tables);
    return err;
}

int opencl_pass_init(struct engine_pass *p, struct fft_reason why)
{
    struct opencl_engine *cl = p->engine->priv;
    struct opencl_pass_state *s = p->priv;
    const int err = plan(s, cl, p, why);
    return err < 0 ? err : allocate_memory(s, cl, why);
}

void opencl_pass_finish(struct engine_pass *p)
{
    struct opencl_engine *cl = p->engine->priv;
    struct opencl_pass_state *s = p->priv;
    if (cl->queue)
        cl->driver.finish(cl->queue);
    if (s->tables)
        cl->driver.buffer_release(s->tables);
    if (s->scratch)
        cl->driver.buffer_release(s->scratch);
    opencl_kernels_finish(&s->kernels);
}

int opencl_pass_run(const struct engine_pass *p, struct fft_buffer *from, struct fft_buffer *to)
{
    const struct opencl_engine *cl = p->engine->priv;
    const struct opencl_pass_state *s = p->priv;
    const struct opencl_memory *in = from->priv, *out = to->priv;
    const struct opencl_buffers buffers = {.by_role = {[OPENCL_TABLES] = s->tables,
                                                       [OPENCL_SCRATCH] = s->scratch,
                                                       [OPENCL_FROM] = in->object,
                                                       [OPENCL_TO] = out->object}};
    struct opencl_launch next;
    int err = 0;
    for (uint32_t i = 0; err == 0 && opencl_pass_launch(&s->plan, p->rows[0].count, i, &next); i++)
        err = opencl_kernels_launch(&s->kernels, cl->queue, &next, &buffers, NULL,
                                    fft_engine_reason(p->engine));
    /* Starts the queued launches even if nobody waits for them yet. */
    if (err == 0)
        err = opencl_check(cl->driver.flush(cl->queue), "starting a transform",
                           fft_engine_reason(p->engine));
    return err;
}
