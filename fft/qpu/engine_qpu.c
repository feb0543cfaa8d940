/*
 * engine_qpu.c - the qpu engine: complex FFTs on the QPUs; unpacking, window and folding on the ARM.
 *
 * The caller's thread does the work in poll, a launch at a time: while the QPUs run it sleeps, and
 * whatever else wants the ARM has it.
 */
#include "fft/qpu/engine_qpu.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "fft/qpu/engine_parts.h"
#include "fft/qpu/power.h"
#include "fft/qpu/system.h"
#include "fft/qpu/work.h"

struct qpu_spectrum {
    struct qpu_work work;
    struct qpu_power power;
    struct qpu_traces traces[SPECTRUM_MAX_DEPTH];
    uint32_t next; /* frame of the oldest batch */
};

enum { MIN_N = 1 << QPU_PLAN_MIN_LOG2, MAX_N = 1 << QPU_PLAN_MAX_LOG2 };

/* Points go to and from the QPUs' memory by way of a block that stays in the ARM's cache. */
enum { BLOCK = 256 };

static bool is_length(uint32_t n)
{
    return n >= MIN_N && n <= MAX_N && !(n & (n - 1));
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void load_frame(const struct spectrum *s, const char *raw, const struct qpu_work *w,
                       uint32_t frame)
{
    const struct spectrum_plan *plan = &s->plan;
    struct iq block[BLOCK];
    for (uint32_t at = 0; at < plan->n; at += BLOCK) {
        iq_unpack(plan->format, raw + at * iq_bytes(plan->format), block, BLOCK);
        for (uint32_t i = 0; i < BLOCK; i++) {
            block[i].re *= plan->window[at + i];
            block[i].im *= plan->window[at + i];
        }
        qpu_work_put(w, frame, at, block, BLOCK);
    }
}

static void fold_frame(struct qpu_spectrum *q, uint32_t frame, struct qpu_traces *into)
{
    struct iq block[BLOCK];
    for (uint32_t at = 0; at < q->power.plan->n; at += BLOCK) {
        qpu_work_get(&q->work, frame, at, block, BLOCK);
        qpu_power_square(&q->power, at, block, BLOCK);
    }
    qpu_power_add(&q->power, into);
}

static void tell(struct fft_engine *e, int err)
{
    snprintf(e->trouble, sizeof e->trouble, "%s",
             err == -ETIMEDOUT ? "a program of the QPUs did not end" : strerror(-err));
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
        load_frame(s, raw + i * hop_bytes, &q->work, i);
    int err = qpu_work_run(&q->work, count);
    if (err)
        return err;
    for (uint32_t i = 0; i < count; i++)
        fold_frame(q, i, &q->traces[b->index]);
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

/* ---- passes ----------------------------------------------------------------------------- */

/* Where row number i begins on either side. */
static void row_at(const struct engine_pass *p, uint64_t i, size_t *from, size_t *to)
{
    *from = *to = 0;
    for (int r = 0; r < 3; r++) {
        const uint64_t index = i % p->rows[r].count;
        i /= p->rows[r].count;
        *from += index * p->rows[r].from;
        *to += index * p->rows[r].to;
    }
}

static void gather(const struct engine_pass *p, const struct iq *from, uint32_t row)
{
    struct iq block[BLOCK];
    for (uint32_t at = 0; at < p->n; at += BLOCK) {
        for (uint32_t j = 0; j < BLOCK; j++)
            block[j] = from[(at + j) * p->from];
        qpu_work_put(p->priv, row, at, block, BLOCK);
    }
}

static void scatter(const struct engine_pass *p, uint32_t row, struct iq *to)
{
    struct iq block[BLOCK];
    for (uint32_t at = 0; at < p->n; at += BLOCK) {
        qpu_work_get(p->priv, row, at, block, BLOCK);
        for (uint32_t j = 0; j < BLOCK; j++)
            to[(at + j) * p->to] = block[j];
    }
}

static int run_rows(const struct engine_pass *p, uint64_t first, uint32_t count,
                    const struct iq *from, struct iq *to)
{
    size_t at_from, at_to;
    for (uint32_t i = 0; i < count; i++) {
        row_at(p, first + i, &at_from, &at_to);
        gather(p, from + at_from, i);
    }
    int err = qpu_work_run(p->priv, count);
    for (uint32_t i = 0; !err && i < count; i++) {
        row_at(p, first + i, &at_from, &at_to);
        scatter(p, i, to + at_to);
    }
    return err;
}

static uint64_t row_count(const struct engine_pass *p)
{
    return (uint64_t)p->rows[0].count * p->rows[1].count * p->rows[2].count;
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
    if (is_length(plan->n))
        return 0;
    reason_set(why, "the QPUs transform powers of two from %d to %d", MIN_N, MAX_N);
    return -ENOTSUP;
}

static int qpu_spectrum_init(struct spectrum *s)
{
    struct qpu_engine *e = s->engine->priv;
    struct qpu_spectrum *q = s->priv;
    int err = qpu_power_init(&q->power, &s->plan);
    for (uint32_t i = 0; !err && i < s->plan.depth; i++)
        err = qpu_traces_init(&q->traces[i], &s->plan);
    return err ? err
               : qpu_work_init(&q->work, &e->device, e->code.bus, s->plan.n, false,
                               s->plan.max_frames);
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
            tell(s->engine, err);
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

static int qpu_pass_init(struct engine_pass *p, struct reason why)
{
    struct qpu_engine *e = p->engine->priv;
    if (p->kind != PASS_COMPLEX || !is_length(p->n)) {
        reason_set(why, "the QPUs transform complex rows, powers of two from %d to %d", MIN_N,
                   MAX_N);
        return -ENOTSUP;
    }
    const uint64_t rows = row_count(p);
    return qpu_work_init(p->priv, &e->device, e->code.bus, p->n, p->inverse,
                         rows < UINT32_MAX ? (uint32_t)rows : UINT32_MAX);
}

static void qpu_pass_finish(struct engine_pass *p)
{
    qpu_work_finish(p->priv);
}

static int qpu_pass_run(const struct engine_pass *p, struct fft_buffer *from, struct fft_buffer *to)
{
    const struct qpu_work *w = p->priv;
    const uint64_t rows = row_count(p);
    int err = 0;
    for (uint64_t i = 0; !err && i < rows; i += w->most_frames) {
        const uint64_t left = rows - i;
        err = run_rows(p, i, left < w->most_frames ? (uint32_t)left : w->most_frames, from->memory,
                       to->memory);
    }
    if (err)
        tell(p->engine, err);
    return err;
}

const struct engine_ops engine_qpu = {
    .name = "qpu",
    .about = "the GPU of a Raspberry Pi Zero to 3",
    .priv_size = sizeof(struct qpu_engine),
    .spectrum_size = sizeof(struct qpu_spectrum),
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
