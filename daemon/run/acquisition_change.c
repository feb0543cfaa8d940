/* acquisition_change.c - settings and replays that are requested while the threads run. */
#include <errno.h>

#include "daemon/base/reason.h"
#include "daemon/run/acquisition_private.h"
#include "daemon/stream/sweep.h"

static bool takes_memory(const struct settings *a, const struct settings *b)
{
    return a->n != b->n || a->overlap - b->overlap != 0 || a->average != b->average ||
           a->vbw_hz - b->vbw_hz != 0 || a->line_rate_hz - b->line_rate_hz != 0 ||
           !settings_same_density(a, b) || a->detectors_unread != b->detectors_unread ||
           a->tuning.rate_hz - b->tuning.rate_hz != 0 || !settings_same_sweep(a, b);
}

/* The rate of the samples once the settings are applied; 0: not known yet. */
static double rate_with(const struct settings *settings, const struct source_status *now)
{
    return settings->tuning.rate_hz > 0 ? settings->tuning.rate_hz : now->stream.tuning.rate_hz;
}

/*
 * Refuses settings for which there is no memory. A ring that fails to be created would end the
 * daemon, and memory that the kernel grants without having it may.
 */
static int check_memory(struct acquisition *r, const struct settings *settings, struct reason *why)
{
    struct source_status now;
    struct dsp_status dsp;
    struct stream stream;
    acquisition_source_status(r, &now);
    acquisition_dsp_status(r, &dsp);
    stream = now.stream;
    stream.tuning.rate_hz = rate_with(settings, &now);
    const struct epoch_config config = {.n = settings->n,
                                        .ring_bytes = r->ring_bytes,
                                        .lossless = r->lossless,
                                        .settings = settings};
    const int err = epoch_check(&stream, &config, why);
    if (err < 0 || !now.opened || !takes_memory(settings, &r->settings))
        return err;
    struct admission admission = r->admission;
    admission.active = dsp.lines;
    const uint64_t needed = RING_SPANS * epoch_span(settings->n, stream.tuning.rate_hz);
    if (stream.tuning.rate_hz - now.stream.tuning.rate_hz != 0 ||
        needed * fft_iq_bytes(stream.format) > dsp.ring_bytes)
        admission.ring_bytes = epoch_ring_bytes(&stream, &config);
    return admission_check(&admission, settings, &stream, why);
}

static bool same_center(const struct settings *a, const struct settings *b)
{
    struct tuning tuning = a->tuning;
    tuning.center_hz = b->tuning.center_hz;
    return tuning_equal(&tuning, &a->tuning);
}

static int check_sweep(struct acquisition *r, const struct settings *settings, double rate_hz,
                       struct reason *why)
{
    struct sweep_plan plan;
    const struct sweep_radio radio = {settings->n, rate_hz, sweep_usable_share(settings)};
    if (!settings_sweeps(settings))
        return 0;
    if (!r->ops->tune)
        return reason_set(why, -ENOTSUP, "span: source %s cannot be retuned", r->ops->name);
    if (!same_center(settings, &r->settings))
        return reason_set(why, -EINVAL,
                          "center_hz: a sweep has many centres; an empty span ends it");
    if (!(rate_hz > 0))
        return 0; /* the source checks it when it is open */
    return sweep_plan_init(&plan, settings, &radio, why);
}

int acquisition_apply(struct acquisition *r, const struct settings *settings, struct reason *why)
{
    if (r->spectra)
        return spectra_apply(&r->settings, settings, why);
    if (!r->ops->tune && !tuning_equal(&settings->tuning, &r->settings.tuning))
        return reason_set(why, -ENOTSUP, "source %s: frequency, rate and gain are fixed",
                          r->ops->name);
    struct source_status now;
    struct settings fitted = *settings;
    acquisition_source_status(r, &now);
    fitted.n = settings_fft_size(&fitted, rate_with(settings, &now));
    int err = check_sweep(r, &fitted, rate_with(settings, &now), why);
    if (err == 0)
        err = check_memory(r, &fitted, why);
    if (err < 0)
        return err;
    r->settings = fitted;
    supervisor_apply(r->supervisor, &fitted);
    return 0;
}

int acquisition_replay(struct acquisition *r, const struct replay_request *want, struct reason *why)
{
    struct source_status now;
    acquisition_source_status(r, &now);
    const int err = replay_check(&now.replay, want, why);
    if (err < 0)
        return err;
    r->replay = *want;
    r->spectra ? spectra_replay(r->spectra, want) : supervisor_replay(r->supervisor, want);
    return 0;
}
