/*
 * replan.c - from what is wanted to the plan at work; what there is no memory for is not taken.
 */
#include <errno.h>
#include <stdio.h>

#include "daemon/base/log.h"
#include "daemon/dsp/dsp.h"

enum { WAIT_MS = 100 };

bool dsp_serves(const struct epoch *e, uint32_t n)
{
    return iq_ring_capacity(e->ring) >= (uint64_t)EPOCH_MIN_SPANS * n;
}

/* -EAGAIN: it was stopped while a reader had not taken its lines yet. */
static int shape_lines(struct dsp *d, uint32_t n)
{
    int err = -EAGAIN;
    while (err == -EAGAIN && !atomic_load(d->stop)) {
        atomic_store(d->beat_ns, uv_hrtime());
        err = line_ring_configure(d->config->lines, n, d->config->traces, WAIT_MS);
    }
    return err;
}

/* Everything is there before the old plan goes. */
static int new_plan(struct dsp *d, const struct wanted *want)
{
    struct plan plan;
    const uint64_t ring_samples = iq_ring_capacity(d->epoch->ring);
    struct stream stream = d->epoch->stream;
    stream.tuning = d->tuning;
    int err = plan_init(&plan, want, &stream, ring_samples, d->config->traces);
    if (err < 0)
        return err;
    plan.spectrum.memory = iq_ring_at(d->epoch->ring, 0); /* which a device may read by itself */
    plan.spectrum.memory_bytes = ring_samples * fft_iq_bytes(stream.format);
    err = engine_runner_prepare(&d->analyser, &plan);
    if (err < 0)
        return err;
    err = shape_lines(d, want->n);
    if (err < 0) {
        engine_runner_discard(&d->analyser);
        return err;
    }
    engine_runner_commit(&d->analyser);
    d->taken = *want;
    return 0;
}

static void refuse(struct dsp *d)
{
    snprintf(d->refused, sizeof d->refused,
             "no memory for fft-size %u, overlap %g: it stays fft-size %u, overlap %g", d->wanted.n,
             d->wanted.overlap, d->taken.n, d->taken.overlap);
    log_warn("%s", d->refused);
}

/* What takes memory stays as it is; the rest of what is wanted need not wait for that. */
static struct wanted what_fits(const struct dsp *d)
{
    struct wanted want = d->wanted;
    want.n = d->taken.n;
    want.overlap = d->taken.overlap;
    return want;
}

/* Another stream: the old plan does not fit it, but one like it has the old one's room. */
static int old_size_again(struct dsp *d)
{
    struct wanted want = what_fits(d);
    while (!dsp_serves(d->epoch, want.n))
        want.n /= 2;
    engine_runner_drop_plan(&d->analyser);
    return new_plan(d, &want);
}

static bool same_plan(const struct wanted *a, const struct wanted *b)
{
    return a->n == b->n && a->overlap - b->overlap == 0 && a->average == b->average &&
           a->line_rate_hz - b->line_rate_hz == 0 && a->window.kind == b->window.kind &&
           a->window.parameter - b->window.parameter == 0;
}

/* At work on the old size. Should there be no room for that once more either, nothing changes. */
static int take_the_rest(struct dsp *d)
{
    const struct wanted want = what_fits(d);
    const int err = same_plan(&want, &d->taken) ? 0 : new_plan(d, &want);
    return err == -ENOMEM ? 0 : err;
}

int dsp_take_plan(struct dsp *d, bool new_stream)
{
    int err = new_plan(d, &d->wanted);
    if (err == 0) {
        d->refused[0] = '\0';
    } else if (err == -ENOMEM && d->taken.n > 0) {
        refuse(d);
        const bool at_work = engine_runner_works(&d->analyser) && !new_stream;
        err = at_work ? take_the_rest(d) : old_size_again(d);
    }
    d->frames_left = d->analyser.job.plan.frames_per_line;
    d->replan = false;
    return err == -EAGAIN ? 0 : err;
}

void dsp_look_for_changes(struct dsp *d)
{
    struct wanted want;
    if (!exchange_wanted(d->config->exchange, &d->wanted_version, &want))
        return;
    if (!dsp_serves(d->epoch, want.n))
        return;
    d->replan = d->replan || !same_plan(&want, &d->wanted);
    d->wanted = want;
}
