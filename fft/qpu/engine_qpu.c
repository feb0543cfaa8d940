/*
 * engine_qpu.c - the qpu engine: spectra and FFTs on the QPUs; unpacking and folding on the ARM.
 *
 * The caller's thread does the work in poll, a launch at a time: while the QPUs run it sleeps, and
 * whatever else wants the ARM has it.
 */
#include "fft/qpu/engine_qpu.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "fft/qpu/engine_parts.h"
#include "fft/qpu/frames.h"
#include "fft/qpu/pass.h"
#include "fft/qpu/system.h"

struct qpu_spectrum {
    struct qpu_work work;
    struct qpu_power power;
    struct qpu_traces traces[SPECTRUM_MAX_DEPTH];
    uint32_t next; /* frame of the oldest batch */
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The next launch of a batch. */
static int work_on(struct spectrum *s, struct batch *b)
{
    struct qpu_spectrum *q = s->priv;
    const uint32_t left = b->partial.frames - q->next;
    const uint32_t count = left < q->work.most_frames ? left : q->work.most_frames;
    const size_t hop_bytes = s->plan.hop * iq_bytes(s->plan.format);
    const char *raw = (const char *)b->span + q->next * hop_bytes;
    for (uint32_t i = 0; i < count; i++)
        qpu_frames_load(&s->plan, raw + i * hop_bytes, &q->work, i);
    int err = qpu_work_run(&q->work, count);
    if (err)
        return err;
    qpu_frames_fold(&q->work, &q->power, &q->traces[b->index]);
    q->next += count;
    return 0;
}

static void publish(struct qpu_spectrum *q, struct batch *b)
{
    struct qpu_traces *t = &q->traces[b->index];
    qpu_power_end(&q->power, t);
    q->next = 0;
    b->partial.sum = t->sum;
    b->partial.max = t->max;
    b->partial.min = t->min;
    b->partial.last = t->last;
    b->partial.hits = t->hits;
}

/* ---- hooks ------------------------------------------------------------------------------ */

static int qpu_open(struct fft_engine *e, struct reason why)
{
    struct qpu_engine *q = e->priv;
    int err = qpu_hardware_open(&qpu_system_linux, e->device, &q->device, why);
    if (err) {
        q->device.ops = NULL;
        return err;
    }
    snprintf(e->about, sizeof e->about, "qpu: %s", q->device.about);
    return qpu_engine_start(q, why);
}

static int qpu_can(const struct fft_engine *e, const struct spectrum_plan *plan, struct reason why)
{
    (void)e;
    if (qpu_engine_transforms(plan->n))
        return 0;
    reason_set(why, "the QPUs transform powers of two from %d to %d", QPU_MIN_N, QPU_MAX_N);
    return -ENOTSUP;
}

static int qpu_spectrum_init(struct spectrum *s)
{
    struct qpu_engine *e = s->engine->priv;
    struct qpu_spectrum *q = s->priv;
    int err = qpu_power_init(&q->power, &s->plan);
    for (uint32_t i = 0; !err && i < s->plan.depth; i++)
        err = qpu_traces_init(&q->traces[i], &s->plan);
    return err ? err : qpu_frames_init(&q->work, &e->device, e->code.bus, &s->plan);
}

static void qpu_spectrum_finish(struct spectrum *s)
{
    struct qpu_spectrum *q = s->priv;
    qpu_work_finish(&q->work);
    for (uint32_t i = 0; i < SPECTRUM_MAX_DEPTH; i++)
        qpu_traces_finish(&q->traces[i]);
    qpu_power_finish(&q->power);
}

static int qpu_submit(struct spectrum *s, struct batch *b)
{
    (void)s; /* poll finds the batch, and its frames in the span */
    (void)b;
    return 0;
}

static int qpu_poll(struct spectrum *s, struct batch *b, int timeout_ms)
{
    struct qpu_spectrum *q = s->priv;
    const int64_t until = now_ms() + timeout_ms;
    do {
        int err = work_on(s, b);
        if (err) {
            qpu_engine_tell(s->engine, err);
            return err;
        }
    } while (q->next < b->partial.frames && (timeout_ms < 0 || now_ms() < until));
    if (q->next < b->partial.frames)
        return 0;
    publish(q, b);
    return 1;
}

static void qpu_close(struct fft_engine *e)
{
    qpu_engine_stop(e->priv);
}

const struct engine_ops engine_qpu = {
    .name = "qpu",
    .about = "the GPU of a Raspberry Pi Zero to 3",
    .priv_size = sizeof(struct qpu_engine),
    .spectrum_size = sizeof(struct qpu_spectrum),
    .by_name_only = true,
    .pass_size = sizeof(struct qpu_work),
    .open = qpu_open,
    .can = qpu_can,
    .spectrum_init = qpu_spectrum_init,
    .spectrum_finish = qpu_spectrum_finish,
    .submit = qpu_submit,
    .poll = qpu_poll,
    .close = qpu_close,
    .pass_init = qpu_pass_init,
    .pass_finish = qpu_pass_finish,
    .pass_run = qpu_pass_run,
};
