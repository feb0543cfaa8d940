/* thread_sweep.c - takes the radio from dwell to dwell of a sweep. Positions alone decide. */
#include <errno.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/source/thread.h"

static void begin_dwell(struct source_thread *t, uint32_t dwell)
{
    t->sweep.dwell = dwell;
    t->sweep.left = t->sweep.plan.dwell_samples;
}

static int plan(const struct source_thread *t, struct sweep_plan *out, struct reason *why)
{
    const struct sweep_radio radio = {source_thread_fft_size(t), t->source->stream.tuning.rate_hz,
                                      sweep_usable_share(&t->config.settings)};
    return sweep_plan_init(out, &t->config.settings, &radio, why);
}

/* The radio may round the centre, but not by so much that the bins would be at wrong places. */
static int check_center(struct source_thread *t, uint32_t dwell)
{
    char wanted[32], given[32];
    const double center_hz = t->source->stream.tuning.center_hz;
    if (sweep_find_dwell(&t->sweep.plan, center_hz) == dwell)
        return 0;
    si_format(sweep_center_hz(&t->sweep.plan, dwell), 10, wanted, sizeof wanted);
    si_format(center_hz, 10, given, sizeof given);
    return source_fail(t->source, -EINVAL, "a centre of %s was wanted, and %s is what it gives",
                       wanted, given);
}

static int tune(struct source_thread *t, uint32_t dwell)
{
    struct tuning want = t->config.source.tuning;
    want.center_hz = sweep_center_hz(&t->sweep.plan, dwell);
    t->source->why.sentence[0] = '\0';
    const int err = t->config.ops->tune(t->source, &want);
    if (err < 0)
        return err;
    t->config.source.tuning = want;
    return check_center(t, dwell);
}

int source_thread_start_sweep(struct source_thread *t, struct reason *why)
{
    struct source *s = t->source;
    t->sweep = (struct source_sweep){0};
    int err = plan(t, &t->sweep.plan, why);
    if (err < 0 || !t->sweep.plan.dwells)
        return err;
    if (!t->config.ops->tune)
        return reason_key(why, -EINVAL, "span", "span: source %s cannot be retuned",
                          t->config.ops->name);
    err = tune(t, t->sweep.plan.dwells - 1);
    if (err == 0)
        err = tune(t, 0);
    if (err < 0)
        return reason_key(why, err, "span", "span: %s",
                          s->why.sentence[0] ? s->why.sentence : strerror(-err));
    s->mark = (struct source_mark){0}; /* the stream begins with this tuning */
    begin_dwell(t, 0);
    log_info("span %.10g to %.10g Hz: %u dwells of %llu samples, %u bins", t->sweep.plan.low_hz,
             t->sweep.plan.low_hz + sweep_span_hz(&t->sweep.plan), t->sweep.plan.dwells,
             (unsigned long long)t->sweep.plan.dwell_samples, t->sweep.plan.bins);
    return 0;
}

void source_thread_follow_sweep(struct source_thread *t, struct tuning *want)
{
    struct sweep_plan next;
    const struct tuning *now = &t->config.source.tuning;
    if (plan(t, &next, NULL) < 0 || !next.dwells || !t->config.ops->tune) {
        t->sweep = (struct source_sweep){0};
        return;
    }
    want->center_hz = now->center_hz;
    if (sweep_plan_equal(&next, &t->sweep.plan) && tuning_equal(want, now))
        return;
    t->sweep = (struct source_sweep){.plan = next, .live = true};
    begin_dwell(t, 0);
    want->center_hz = sweep_center_hz(&next, 0);
}

int source_thread_next_dwell(struct source_thread *t)
{
    const struct sweep_plan *p = &t->sweep.plan;
    if (p->dwells == 0 || t->sweep.left > 0)
        return 0;
    const uint32_t next = (t->sweep.dwell + 1) % p->dwells;
    const int err = tune(t, next);
    if (err == -EINVAL || err == -ENOTSUP) {
        exchange_set_state(t->exchange, t->sweep.live ? SOURCE_RUNNING : SOURCE_FAILED, "span: %s",
                           t->source->why.sentence[0] ? t->source->why.sentence : strerror(-err));
        const bool live = t->sweep.live;
        t->sweep = (struct source_sweep){0}; /* another request may start another sweep */
        return live ? 0 : err;
    }
    if (err < 0)
        return err;
    source_thread_forward_mark(t);
    exchange_set_stream(t->exchange, &t->source->stream);
    begin_dwell(t, next);
    return 0;
}

uint32_t source_thread_read_samples(const struct source_thread *t)
{
    const struct source_sweep *s = &t->sweep;
    return s->plan.dwells && s->left < t->block ? (uint32_t)s->left : t->block;
}

void source_thread_count_dwell(struct source_thread *t, uint64_t samples)
{
    t->sweep.left -= samples < t->sweep.left ? samples : t->sweep.left;
}
