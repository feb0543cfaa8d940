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
static int new_plan(struct dsp *d, const struct settings *settings)
{
    struct plan plan;
    const uint64_t ring_samples = iq_ring_capacity(d->epoch->ring);
    struct stream stream = d->epoch->stream;
    stream.tuning = d->tuning;
    int err = plan_init(&plan, settings, &stream, ring_samples, d->config->traces);
    if (err < 0)
        return err;
    plan.spectrum.memory = iq_ring_at(d->epoch->ring, 0); /* which a device may read by itself */
    plan.spectrum.memory_bytes = ring_samples * fft_iq_bytes(stream.format);
    err = engine_runner_prepare(&d->analyser, &plan);
    if (err < 0)
        return err;
    err = shape_lines(d, settings->n);
    if (err < 0) {
        engine_runner_discard(&d->analyser);
        return err;
    }
    engine_runner_commit(&d->analyser);
    d->active = *settings;
    return 0;
}

static void refuse(struct dsp *d)
{
    snprintf(d->refused, sizeof d->refused,
             "no memory for fft-size %u, overlap %g: it stays fft-size %u, overlap %g",
             d->requested.n, d->requested.overlap, d->active.n, d->active.overlap);
    log_warn("%s", d->refused);
}

/* What takes memory stays as it is; the rest of what is wanted need not wait for that. */
static struct settings what_fits(const struct dsp *d)
{
    struct settings settings = d->requested;
    settings.n = d->active.n;
    settings.overlap = d->active.overlap;
    return settings;
}

/* Another stream: the old plan does not fit it, but one like it has the old one's room. */
static int old_size_again(struct dsp *d)
{
    struct settings settings = what_fits(d);
    while (!dsp_serves(d->epoch, settings.n))
        settings.n /= 2;
    engine_runner_drop_plan(&d->analyser);
    return new_plan(d, &settings);
}

static bool same_plan(const struct settings *a, const struct settings *b)
{
    return a->n == b->n && a->overlap - b->overlap == 0 && a->average == b->average &&
           a->line_rate_hz - b->line_rate_hz == 0 && a->window.kind == b->window.kind &&
           a->window.parameter - b->window.parameter == 0;
}

/* At work on the old size. Should there be no room for that once more either, nothing changes. */
static int take_the_rest(struct dsp *d)
{
    const struct settings settings = what_fits(d);
    const int err = same_plan(&settings, &d->active) ? 0 : new_plan(d, &settings);
    return err == -ENOMEM ? 0 : err;
}

int dsp_take_plan(struct dsp *d, bool new_stream)
{
    int err = new_plan(d, &d->requested);
    if (err == 0) {
        d->refused[0] = '\0';
    } else if (err == -ENOMEM && d->active.n > 0) {
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
    struct settings settings;
    if (!exchange_requested(d->config->exchange, &d->request_version, &settings))
        return;
    if (!dsp_serves(d->epoch, settings.n))
        return;
    d->replan = d->replan || !same_plan(&settings, &d->requested);
    d->requested = settings;
}
