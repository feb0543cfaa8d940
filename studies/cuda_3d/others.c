/* others.c - runs the engine and cuFFT for the tables (others.h). */
#include "studies/cuda_3d/others.h"

#include "fft/engine.h"

size_t study_plan_bytes(const struct fft_transform_config *plan)
{
    size_t points = plan->batch;
    for (uint32_t i = 0; i < plan->rank; i++)
        points *= plan->n[i];
    return points * sizeof(struct fft_iq);
}

static int engine_enqueue(void *user)
{
    const struct study_other *o = user;
    return fft_transform_execute_buffers(o->transform, o->in, o->out);
}

/* An engine whose passes never join axes is the same engine without that hook. */
static int create(struct fft_transform **out, struct fft_engine *e,
                  const struct fft_transform_config *plan, enum study_axes axes)
{
    const struct engine_ops *const ops = e->ops;
    struct engine_ops apart = *ops;
    apart.pass_joins = NULL;
    e->ops = axes == STUDY_APART ? &apart : ops;
    const int err = fft_transform_create(out, e, plan, NULL, 0);
    e->ops = ops;
    return err;
}

int study_engine_open(struct study_other *o, struct cuda_study *s,
                      const struct fft_transform_config *plan, enum study_axes axes)
{
    struct fft_transform_config own = *plan;
    const size_t bytes = study_plan_bytes(plan);
    struct gpu *g = s->study->gpu;
    own.on_buffers = true;
    *o = (struct study_other){.study = s};
    int err = fft_buffer_create(&o->out, s->study->engine, bytes);
    if (err == 0 && !plan->in_place)
        err = fft_buffer_create(&o->in, s->study->engine, bytes);
    if (plan->in_place)
        o->in = o->out;
    if (err == 0)
        err = create(&o->transform, s->study->engine, &own, axes);
    if (err == 0 && !plan->in_place)
        err = gpu_copy(g, gpu_address(o->in), s->from, bytes);
    if (err == 0)
        err = gpu_wait(g);
    if (err == 0)
        o->work =
            (struct study_work){engine_enqueue, o, gpu_address(o->out), bytes, plan->in_place};
    return err;
}

bool study_engine_joins(struct cuda_study *s, const struct fft_transform_config *plan)
{
    const uint32_t n = plan->n[plan->rank - 1], rows = plan->n[plan->rank - 2];
    const uint32_t planes = plan->batch * (plan->rank > 2 ? plan->n[0] : 1);
    const size_t plane = (size_t)rows * n;
    const struct engine_pass pass = {.engine = s->study->engine,
                                     .n = n,
                                     .from = 1,
                                     .to = 1,
                                     .next = {rows, n, n},
                                     .rows = {{planes, plane, plane}, {1, 0, 0}, {1, 0, 0}}};
    return s->study->engine->ops->pass_joins(&pass);
}

void study_engine_close(struct study_other *o)
{
    fft_transform_destroy(o->transform);
    if (o->in != o->out)
        fft_buffer_destroy(o->in);
    fft_buffer_destroy(o->out);
}

static int cufft_enqueue(void *user)
{
    const struct study_other *o = user;
    const struct cuda_study *s = o->study;
    return cufft_run(s->study->cufft, o->work.in_place ? s->to : s->from, s->to);
}

int study_cufft_open(struct study_other *o, struct cuda_study *s,
                     const struct fft_transform_config *plan)
{
    *o = (struct study_other){.study = s};
    o->work = (struct study_work){cufft_enqueue, o, s->to, study_plan_bytes(plan), plan->in_place};
    return cufft_plan(s->study->cufft, plan);
}
