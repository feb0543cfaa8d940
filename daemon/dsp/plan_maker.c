/* plan_maker.c - makes plans, and runs the thread that makes one while another is in use. */
#include "daemon/dsp/plan_maker.h"

#include <assert.h>
#include <pthread.h>

int active_plan_init(struct active_plan *p, const struct plan_order *order)
{
    const int err = plan_init(&p->plan, &order->settings, &order->stream, order->detectors);
    if (err < 0)
        return err;
    p->plan.spectrum.memory = order->memory;
    p->plan.spectrum.memory_bytes = order->memory_bytes;
    p->plan.spectrum.lazy_workers = order->lazy_workers;
    p->plan.spectrum.folded = true;
    return fft_fold_create(&p->fold, &p->plan.spectrum);
}

void active_plan_finish(struct active_plan *p)
{
    fft_spectrum_destroy(p->spectrum);
    fft_fold_destroy(p->fold);
    plan_finish(&p->plan);
    *p = (struct active_plan){0};
}

static void make(void *arg)
{
    struct plan_maker *m = arg;
    pthread_setname_np(pthread_self(), "plan");
    m->err = active_plan_init(&m->plan, &m->order);
    if (m->err == 0)
        m->err = fft_spectrum_create(&m->plan.spectrum, m->engine, &m->plan.plan.spectrum, NULL, 0);
    atomic_store(&m->done, true);
}

int plan_maker_start(struct plan_maker *m, struct fft_engine *engine,
                     const struct plan_order *order)
{
    assert(!m->running && fft_engine_plans_concurrently(engine));
    m->order = *order;
    m->engine = engine;
    atomic_store(&m->done, false);
    const int err = uv_thread_create(&m->thread, make, m);
    m->running = err == 0;
    return err;
}

static bool same_samples(const struct stream *a, const struct stream *b)
{
    return a->format == b->format && a->full_scale - b->full_scale == 0 &&
           a->tuning.rate_hz - b->tuning.rate_hz == 0;
}

/* A plan that was made without the samples' memory serves with it. */
bool plan_maker_has_begun(const struct plan_maker *m, const struct plan_order *order)
{
    return m->running && plan_is_same(&m->order.settings, &order->settings) &&
           same_samples(&m->order.stream, &order->stream) &&
           (!m->order.memory || m->order.memory == order->memory);
}

bool plan_maker_is_making(const struct plan_maker *m)
{
    return m->running && !atomic_load(&m->done);
}

int plan_maker_take(struct plan_maker *m, struct active_plan *out)
{
    assert(m->running);
    uv_thread_join(&m->thread);
    m->running = false;
    *out = m->plan;
    m->plan = (struct active_plan){0};
    if (m->err < 0)
        active_plan_finish(out);
    return m->err;
}

void plan_maker_cancel(struct plan_maker *m)
{
    struct active_plan plan = {0};
    if (m->running && plan_maker_take(m, &plan) == 0)
        active_plan_finish(&plan);
}
