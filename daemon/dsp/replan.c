/*
 * replan.c - makes the requested plan active, as far as there is memory for it.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/dsp/admission.h"
#include "daemon/dsp/dsp.h"
#include "daemon/line/resolution.h"

/* -ECANCELED: stopped before a lossless reader took its lines. */
static int configure_lines(struct dsp *d, const struct line_shape *shape)
{
    int err = -EAGAIN;
    while (err == -EAGAIN && !atomic_load(d->stop)) {
        atomic_store(d->beat_ns, clock_now_ns());
        err = line_ring_configure(d->config->lines, shape);
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

/* A line has at least one frame, and lasts at most 1000 s. */
static void check_vbw(const struct dsp *d)
{
    const struct plan *plan = &d->runner.active.plan;
    const double vbw_hz =
        resolution_vbw_hz(plan->frames_per_line, plan->spectrum.hop, d->tuning.rate_hz);
    if (d->active.vbw_hz > 0 && fabs(vbw_hz / d->active.vbw_hz - 1) > 0.5)
        log_warn("a VBW of %g Hz is out of reach: it is %.4g Hz with %.0f frames in a line",
                 d->active.vbw_hz, vbw_hz, plan->frames_per_line);
}

/* A line has at least one frame: larger transforms with less overlap make fewer lines. */
static void check_line_rate(struct dsp *d)
{
    const struct settings *w = &d->active;
    const double most_hz = d->tuning.rate_hz / d->runner.active.plan.spectrum.hop;
    const bool is_asked = !w->average && !(w->vbw_hz > 0) && !settings_sweeps(w);
    char text[sizeof d->rate_limit] = "";
    if (is_asked && w->line_rate_hz > most_hz * 1.001)
        snprintf(text, sizeof text,
                 "a line-rate of %g Hz is out of reach: it is %.4g Hz with one frame in a line, at "
                 "fft-size %u, overlap %g",
                 w->line_rate_hz, most_hz, w->n, w->overlap);
    if (text[0] && strcmp(text, d->rate_limit) != 0)
        log_info("%s", text);
    memcpy(d->rate_limit, text, sizeof text);
}

static struct plan_order order_of(const struct dsp *d, const struct settings *settings)
{
    struct plan_order order = {.settings = *settings,
                               .stream = d->epoch->stream,
                               .detectors = d->config->detectors,
                               .lazy_workers =
                                   !d->config->lossless}; /* a replay is as fast as can be */
    order.stream.tuning = d->tuning;
    if (epoch_serves(d->epoch, settings->n)) { /* else the plan is for the next ring */
        order.memory = iq_ring_at(d->epoch->ring, 0);
        order.memory_bytes =
            (size_t)iq_ring_capacity(d->epoch->ring) * fft_iq_bytes(d->epoch->stream.format);
    }
    return order;
}

/* Allocates the new plan completely before it drops the old one. */
static int make_plan(struct dsp *d, const struct settings *settings)
{
    const struct plan_order order = order_of(d, settings);
    int err = engine_runner_prepare(&d->runner, &order);
    if (err < 0)
        return err;
    const struct line_shape shape = d->runner.next.plan.lines;
    err = configure_lines(d, &shape);
    if (err < 0) {
        engine_runner_discard(&d->runner);
        return err;
    }
    engine_runner_commit(&d->runner);
    dsp_restart_sweep(d);
    d->active = *settings;
    check_rbw(d);
    check_vbw(d);
    check_line_rate(d);
    return 0;
}

/* -ENOMEM with the reason: the memory that such a plan takes is not there. */
static int admit(const struct dsp *d, const struct plan_order *order, struct reason *why)
{
    const struct admission admission = {.engine = d->runner.fallback,
                                        .device = d->runner.engine,
                                        .detectors = d->config->detectors,
                                        .measure_bin_bytes = d->config->measure_bin_bytes,
                                        .measure_percentiles = d->config->measure_percentiles,
                                        .archive_bytes = d->config->archive_bytes,
                                        .active = d->runner.active.plan.lines};
    return admission_check(&admission, &order->settings, &order->stream, why);
}

/* The request, if the memory that it takes is there. -ENOMEM with the reason in d->refused. */
static int make_requested(struct dsp *d)
{
    const struct plan_order order = order_of(d, &d->requested);
    struct reason why = {0};
    int err = 0;
    if (!engine_runner_has_begun(&d->runner, &order)) /* it was admitted, and has its memory */
        err = admit(d, &order, &why);
    if (err == 0)
        err = make_plan(d, &d->requested);
    if (err == -ENOMEM && !why.sentence[0])
        reason_set(&why, err, "no memory for fft-size %u, overlap %g", d->requested.n,
                   d->requested.overlap);
    snprintf(d->refused, sizeof d->refused, "%.*s", (int)sizeof d->refused - 1, why.sentence);
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

/* The request with what takes the memory from the active plan: FFT size, overlap, sweep. */
static struct settings affordable(const struct dsp *d)
{
    struct settings settings = d->requested;
    settings.n = d->active.n;
    settings.overlap = d->active.overlap;
    settings.sweep = d->active.sweep;
    settings.density = d->active.density;
    settings.density_wanted = d->active.density_wanted;
    settings.detectors_unread = d->active.detectors_unread;
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

/* Keeps the size and applies the other settings. -ENOMEM for that too changes nothing. */
static int apply_rest(struct dsp *d)
{
    const struct settings settings = affordable(d);
    const int err = plan_is_same(&settings, &d->active) ? 0 : make_plan(d, &settings);
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
    dsp_restart_lines(d);
    d->replan = false;
    return err == -ECANCELED ? 0 : err;
}

/* ---- requests --------------------------------------------------------------------------- */

/*
 * A replay waits for its plan and loses nothing. The source begins a sweep, and ends one, at once.
 */
static bool goes_on_meanwhile(const struct dsp *d, const struct plan_order *order)
{
    return !d->config->lossless && engine_runner_plans_concurrently(&d->runner, order) &&
           !settings_sweeps(&order->settings) && !settings_sweeps(&d->active);
}

/* False: a plan for the settings is being made, and the active one goes on meanwhile. */
static bool is_prepared(struct dsp *d, const struct settings *settings)
{
    const struct plan_order order = order_of(d, settings);
    struct reason why = {0};
    if (!goes_on_meanwhile(d, &order))
        return true;
    if (engine_runner_is_making(&d->runner))
        return false; /* also another one, which would have to be waited for */
    if (engine_runner_has_begun(&d->runner, &order))
        return true;
    if (admit(d, &order, &why) < 0)
        return true; /* dsp_apply_request says why */
    return !engine_runner_prepare_concurrently(&d->runner, &order);
}

static void read_request(struct dsp *d)
{
    struct settings settings;
    if (!exchange_requested(d->config->exchange, &d->request_version, &settings))
        return;
    settings.n = settings_fft_size(&settings, d->tuning.rate_hz);
    d->awaits_ring = !epoch_serves(d->epoch, settings.n);
    d->upcoming = settings;
    if (d->awaits_ring)
        return;
    exchange_set_prepared(d->config->exchange, d->request_version);
    d->replan = d->replan || !plan_is_same(&settings, &d->requested);
    d->requested = settings;
}

void dsp_check_request(struct dsp *d)
{
    read_request(d);
    if (d->replan)
        d->prepared = is_prepared(d, &d->requested);
    else if (!d->awaits_ring)
        engine_runner_forget(&d->runner);
    else if (is_prepared(d, &d->upcoming))
        exchange_set_prepared(d->config->exchange, d->request_version);
}
