/* status_json.c - converts each part of the status to a JSON object. */
#include "daemon/status/status_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/pairs.h"
#include "daemon/base/si.h"
#include "daemon/figure/figure_report.h"
#include "daemon/line/resolution.h"
#include "daemon/option/option_json.h"
#include "daemon/status/advice.h"
#include "daemon/stream/radio_options.h"

json_t *ledger_to_json(const struct ledger *l)
{
    return figures_to_json(ledger_figures, l);
}

/* The rate for figures: NAN without a stream, and where the rate is assumed. */
static double known_rate(const struct status *s)
{
    return s->dsp.n && !s->stream.rate_assumed ? s->stream.tuning.rate_hz : NAN;
}

/* Gains are numbers, settings texts. */
static void add_pairs(json_t *object, const char *prefix, const char *list, bool numbers)
{
    char name[PAIR_KEY + 16];
    struct pair pair;
    while (pairs_next(&list, &pair)) {
        snprintf(name, sizeof name, "%s%s", prefix, pair.key);
        json_object_set_new(object, name,
                            numbers ? number_to_json(strtod(pair.value, NULL))
                                    : text_to_json(pair.value));
    }
}

static json_t *tuning_to_json(const struct tuning *t)
{
    json_t *object = json_object();
    option_add_json(object, tuning_options, t);
    return object;
}

static json_t *source_to_json(const struct status *s)
{
    const struct stream *stream = &s->stream;
    struct tuning tuning = stream->tuning;
    if (stream->rate_assumed)
        tuning.rate_hz = NAN;
    json_t *json = tuning_to_json(&tuning);
    add_pairs(json, RADIO_GAIN, stream->gains, true);
    add_pairs(json, RADIO_SETTING, stream->device_settings, false);
    json = json_pack("{ss so ss so sb sb sb so}", "name", s->source, "about",
                     text_to_json(stream->about), "format", fft_iq_name(stream->format), "tuning",
                     json, "rate_assumed", stream->rate_assumed, "simulated", stream->simulated,
                     "hardware_time", stream->hardware_time, "gain_db",
                     number_to_json(stream->gain_db));
    figures_add_json(json, source_figures, &s->source_counts);
    return json;
}

/* null: nobody reads a density. */
static json_t *density_to_json(const struct fft_density *d)
{
    if (d->columns == 0)
        return json_null();
    return json_pack("{so so sf sf}", "columns", count_to_json(d->columns), "levels",
                     count_to_json(d->levels), "top", (double)d->top_db, "step_db",
                     (double)d->step_db);
}

/* null: there is none. */
static json_t *sweep_to_json(const struct status *s)
{
    const struct sweep_status *w = &s->dsp.sweep;
    const double rate = known_rate(s);
    if (!w->dwells)
        return json_null();
    return json_pack(
        "{so so so so so so so so}", "low_hz", number_to_json(w->low_hz), "high_hz",
        number_to_json(w->low_hz + w->bins * w->bin_hz), "bins", count_to_json(w->bins), "dwells",
        count_to_json(w->dwells), "dwell_seconds", number_to_json((double)w->dwell_samples / rate),
        "seconds", number_to_json(w->samples ? (double)w->samples / rate : NAN),
        "dwell_poi_seconds", number_to_json(resolution_poi_seconds(s->dsp.n, s->dsp.hop, rate)),
        "incomplete", count_to_json(w->incomplete));
}

/* An edge of the usable band: the lower one with side -1, the upper one with 1. null: a sweep. */
static json_t *usable_edge(const struct status *s, int side)
{
    if (settings_sweeps(&s->settings))
        return json_null();
    const double width_hz = known_rate(s) * s->settings.usable_percent / 100;
    return number_to_json(s->stream.tuning.center_hz + side * width_hz / 2);
}

static json_t *detectors_to_json(unsigned detectors)
{
    json_t *names = json_array();
    for (unsigned i = 0; i < FFT_DETECTORS; i++) {
        if (detectors & 1U << i)
            json_array_append_new(names, json_string(detector_name(i)));
    }
    return names;
}

/* The active plan, with the figures that real-time analysers specify. */
static json_t *spectrum_to_json(const struct status *s)
{
    const struct dsp_status *d = &s->dsp;
    const double rate = known_rate(s);
    return json_pack(
        "{so so so ss so so ss so so so so so so so so so so}", "fft_size", count_to_json(d->n),
        "hop", count_to_json(d->hop), "frames_per_line", number_to_json(d->frames_per_line),
        "window", d->window, "enbw_bins", number_to_json(d->enbw_bins), "line_rate_hz",
        number_to_json(d->line_rate_hz), "line_rate_limit", d->line_rate_limit, "rbw_hz",
        number_to_json(resolution_rbw_hz(d->n, d->enbw_bins, rate)), "rbw_3db_hz",
        number_to_json(resolution_rbw_hz(d->n, d->width_3db_bins, rate)), "vbw_hz",
        number_to_json(resolution_vbw_hz(d->frames_per_line, d->hop, rate)), "spectra_per_second",
        number_to_json(resolution_spectra_per_second(d->hop, rate)), "poi_seconds",
        number_to_json(dsp_status_poi_seconds(d, rate)), "density",
        density_to_json(&d->lines.density), "detectors", detectors_to_json(d->lines.detectors),
        "sweep", sweep_to_json(s), "usable_low_hz", usable_edge(s, -1), "usable_high_hz",
        usable_edge(s, 1));
}

json_t *settings_to_json(const struct settings *w)
{
    json_t *object = tuning_to_json(&w->tuning);
    add_pairs(object, RADIO_GAIN, w->tuning.gain, true);
    add_pairs(object, RADIO_SETTING, w->tuning.settings, false);
    option_add_json(object, settings_options, w);
    return object;
}

json_t *replay_to_json(const struct replay_state *r)
{
    const double rate = r->rate_hz;
    if (!r->active)
        return json_null();
    return json_pack("{so so so so sf sb sb sb sb sb so}", "position",
                     number_to_json((double)r->position / rate), "duration",
                     number_to_json(r->samples ? (double)r->samples / rate : NAN), "from",
                     number_to_json((double)r->first / rate), "to",
                     number_to_json(r->end == REPLAY_TO_END ? NAN : (double)r->end / rate), "speed",
                     r->speed, "paused", r->paused, "loop", r->loop, "ended", r->ended, "seekable",
                     r->seekable, "controllable", r->controllable, "left_out",
                     count_to_json(replay_left_out(r)));
}

/* In tenths: clients get what changed. */
static double tenths(double db)
{
    return round(10 * db) / 10;
}

/* Estimates that there are not are null. */
static json_t *front_end_to_json(const struct dsp_status *d)
{
    const struct front_end_figures *f = &d->front_end;
    return json_pack("{sb sb so so so so sb so}", "dc_removal", d->dc_removal, "iq_correction",
                     d->iq_correction, "dc_dbfs", number_to_json(f->dc_dbfs), "gain_error_db",
                     number_to_json(f->gain_db), "phase_error_degrees",
                     number_to_json(f->phase_degrees), "image_rejection_db",
                     number_to_json(f->image_rejection_db), "plausible", f->plausible,
                     "headroom_db", number_to_json(tenths(d->headroom_db)));
}

static json_t *engine_to_json(const struct status *s)
{
    return json_pack("{so so so}", "name", text_to_json(s->dsp.engine), "note",
                     text_to_json(s->dsp.engine_note), "fallbacks",
                     count_to_json(s->dsp.fallbacks));
}

static json_t *output_to_json(const struct output_state *o)
{
    json_t *error = o->error < 0 ? json_string(strerror(-o->error)) : json_null();
    json_t *json = json_pack("{ss so}", "state", output_state_name(o), "error", error);
    figures_add_json(json, output_figures, o);
    return json;
}

/* null: there is none. */
static json_t *calibration_to_json(const struct calibration_status *c)
{
    if (!c->file)
        return json_null();
    return json_pack("{so so so so so so so}", "file", text_to_json(c->file), "serial",
                     c->serial[0] ? text_to_json(c->serial) : json_null(), "date",
                     c->date[0] ? text_to_json(c->date) : json_null(), "uncertainty_db",
                     number_to_json(c->uncertainty_db), "offset_db", number_to_json(c->offset_db),
                     "uncal", c->uncal[0] ? text_to_json(c->uncal) : json_null(), "curve",
                     calibration_curve_to_json(c->curve, c->points));
}

static json_t *outputs_to_json(const struct status *s)
{
    json_t *object = json_object();
    for (int i = 0; i < STATUS_OUTPUTS; i++)
        if (s->output[i].name)
            json_object_set_new(object, s->output[i].name, output_to_json(&s->output[i]));
    return object;
}

/* Of samples that the IQ ring holds once it is full. */
static double ring_seconds(const struct status *s)
{
    return (double)s->dsp.ring_bytes / (double)fft_iq_bytes(s->stream.format) / known_rate(s);
}

/* To 1 / parts; a NaN stays one. */
static double rounded(double value, double parts)
{
    return round(value * parts) / parts;
}

/* Seconds since the last step of each thread. */
static json_t *beat_ages_to_json(const struct status *s)
{
    return json_pack("{so so}", "source",
                     number_to_json(rounded((double)s->source_beat_age_ns * 1e-9, 1e3)), "dsp",
                     number_to_json(rounded((double)s->dsp.beat_age_ns * 1e-9, 1e3)));
}

json_t *status_to_json(const struct status *s)
{
    return json_pack(
        "{ss ss so ss so so so so so so so so so so so so so so so so so so so so}", "version",
        FFTD_VERSION, "state", source_state_name(s->state), "message", text_to_json(s->message),
        "advice", advice_text(s), "seconds", number_to_json(s->seconds), "replay",
        replay_to_json(&s->replay), "epoch", count_to_json(s->dsp.epoch), "source",
        source_to_json(s), "spectrum", spectrum_to_json(s), "front_end", front_end_to_json(&s->dsp),
        "engine", engine_to_json(s), "beat_age", beat_ages_to_json(s), "ledger",
        ledger_to_json(&s->dsp.ledger), "wanted", settings_to_json(&s->settings), "ring_bytes",
        count_to_json(s->dsp.ring_bytes), "ring_seconds", number_to_json(ring_seconds(s)),
        "ring_fill", number_to_json(rounded(s->dsp.ring_fill, 1e4)), "outputs", outputs_to_json(s),
        "measure", figures_to_json(measure_thread_figures, &s->measure), "calibration",
        calibration_to_json(&s->calibration), "iq_history",
        figures_to_json_if(s->record.history_bytes > 0, disk_figures, &s->record), "archive",
        figures_to_json_if(s->archive.on, archiver_figures, &s->archive), "nats",
        figures_to_json_if(s->nats.on, nats_figures, &s->nats), "rtl_tcp",
        figures_to_json_if(s->rtl_tcp.on, rtl_tcp_figures, &s->rtl_tcp));
}
