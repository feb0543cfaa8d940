/*
 * replan.c - makes the requested plan active, as far as there is memory for it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/dsp/admission.h"
#include "daemon/dsp/dsp.h"
#include "daemon/line/resolution.h"

enum { WAIT_MS = 100 };

/* -ECANCELED: stopped before a lossless reader took its lines. */
static int configure_lines(struct dsp *d, const struct line_shape *shape)
{
    int err = -EAGAIN;
    while (err == -EAGAIN && !atomic_load(d->stop)) {
        atomic_store(d->beat_ns, clock_now_ns());
        err = line_ring_configure(d->config->lines, shape, WAIT_MS);
    }
    return err == -EAGAIN ? -ECANCELED : err;
}

/* The largest FFT size may be too small for the requested RBW. */
static void check_rbw(const struct dsp *d)
{
    const struct plan *plan = &d->runner.active.plan;
    const double rbw_hz = resolution_rbw_hz(plan->spectrum.n, plan->enbw_bins, d->tuning.rate_hz);
    if (d->active.rbw_hz > 0 && rbw_hz > d->active.rbw_hz * 1.001)
        log_warn("an RBW of %g Hz is out of reach: it is %.4g Hz with fft-size %u",
                 d->active.rbw_hz, rbw_hz, plan->spectrum.n);
}

/* Allocates the new plan completely before it drops the old one. */
static int make_plan(struct dsp *d, const struct settings *settings)
{
    struct plan plan;
    const uint64_t ring_samples = iq_ring_capacity(d->epoch->ring);
    struct stream stream = d->epoch->stream;
    stream.tuning = d->tuning;
    int err = plan_init(&plan, settings, &stream, d->config->detectors);
    if (err < 0)
        return err;
    const struct line_shape shape = plan_line_shape(&plan.spectrum);
    plan.spectrum.memory = iq_ring_at(d->epoch->ring, 0); /* a device may read the ring directly */
    plan.spectrum.memory_bytes = (size_t)ring_samples * fft_iq_bytes(stream.format);
    err = engine_runner_prepare(&d->runner, &plan);
    if (err < 0)
        return err;
    err = configure_lines(d, &shape);
    if (err < 0) {
        engine_runner_discard(&d->runner);
        return err;
    }
    engine_runner_commit(&d->runner);
    d->active = *settings;
    check_rbw(d);
    return 0;
}

/* The request, if the memory that it takes is there. -ENOMEM with the reason in d->refused. */
static int make_requested(struct dsp *d)
{
    const struct admission admission = {.engine = d->runner.fallback,
                                        .detectors = d->config->detectors,
                                        .active = plan_line_shape(&d->runner.active.plan.spectrum)};
    struct stream stream = d->epoch->stream;
    stream.tuning = d->tuning;
    char why[sizeof d->refused] = "";
    int err = admission_check(&admission, &d->requested, &stream, why, sizeof why);
    if (err == 0)
        err = make_plan(d, &d->requested);
    if (err == -ENOMEM && !why[0])
        snprintf(why, sizeof why, "no memory for fft-size %u, overlap %g", d->requested.n,
                 d->requested.overlap);
    memcpy(d->refused, why, sizeof why);
    return err;
}

/* Says what stays instead. */
static void refuse(struct dsp *d)
{
    const size_t length = strlen(d->refused);
    snprintf(d->refused + length, sizeof d->refused - length, ": it stays fft-size %u, overlap %g",
             d->active.n, d->active.overlap);
    log_warn("%s", d->refused);
}

/* The request with the FFT size and overlap of the active plan, which take the memory. */
static struct settings affordable(const struct dsp *d)
{
    struct settings settings = d->requested;
    settings.n = d->active.n;
    settings.overlap = d->active.overlap;
    settings.density = d->active.density;
    settings.density_wanted = d->active.density_wanted;
    return settings;
}

/* For a new stream: drops the old plan and uses its memory for one of the same size. */
static int keep_size(struct dsp *d)
{
    struct settings settings = affordable(d);
    while (!epoch_serves(d->epoch, settings.n))
        settings.n /= 2;
    engine_runner_drop_plan(&d->runner);
    return make_plan(d, &settings);
}

static bool same_plan(const struct settings *a, const struct settings *b)
{
    return a->n == b->n && a->overlap - b->overlap == 0 && a->average == b->average &&
           a->line_rate_hz - b->line_rate_hz == 0 && a->window.kind == b->window.kind &&
           a->window.parameter - b->window.parameter == 0 && settings_same_density(a, b);
}

/* Keeps the size and applies the other settings. -ENOMEM for that too changes nothing. */
static int apply_rest(struct dsp *d)
{
    const struct settings settings = affordable(d);
    const int err = same_plan(&settings, &d->active) ? 0 : make_plan(d, &settings);
    return err == -ENOMEM ? 0 : err;
}

int dsp_apply_request(struct dsp *d, bool new_stream)
{
    int err = make_requested(d);
    if (err == -ENOMEM && d->active.n > 0) {
        refuse(d);
        const bool keeps_plan = engine_runner_works(&d->runner) && !new_stream;
        err = keeps_plan ? apply_rest(d) : keep_size(d);
    }
    d->frames_left = d->runner.active.plan.frames_per_line;
    d->replan = false;
    return err == -ECANCELED ? 0 : err;
}

void dsp_check_request(struct dsp *d)
{
    struct settings settings;
    if (!exchange_requested(d->config->exchange, &d->request_version, &settings))
        return;
    settings.n = settings_fft_size(&settings, d->tuning.rate_hz);
    if (!epoch_serves(d->epoch, settings.n))
        return;
    d->replan = d->replan || !same_plan(&settings, &d->requested);
    d->requested = settings;
}
