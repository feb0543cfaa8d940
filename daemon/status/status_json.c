/* status_json.c - converts each part of the status to a JSON object. */
#include "daemon/status/status_json.h"

#include <math.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/line/resolution.h"
#include "daemon/status/advice.h"

static json_t *per_cause(const uint64_t values[LOSS_CAUSES])
{
    json_t *object = json_object();
    for (int i = 0; i < LOSS_CAUSES; i++)
        json_object_set_new(object, loss_name((enum loss)i), count_to_json(values[i]));
    return object;
}

json_t *ledger_to_json(const struct ledger *l)
{
    return json_pack("{so so so so so so so so so so}", "produced", count_to_json(l->produced),
                     "seen", count_to_json(l->seen), "lost", per_cause(l->lost), "events",
                     per_cause(l->events), "clipped", count_to_json(l->clipped),
                     "beyond_full_scale", count_to_json(l->beyond), "invalid",
                     count_to_json(l->invalid), "frames", count_to_json(l->frames), "lines",
                     count_to_json(l->lines), "folded", count_to_json(l->folded));
}

/* The rate for figures: NAN without a stream, and where the rate is assumed. */
static double known_rate(const struct status *s)
{
    return s->dsp.n && !s->stream.rate_assumed ? s->stream.tuning.rate_hz : NAN;
}

static json_t *tuning_to_json(const struct tuning *t)
{
    return json_pack("{so so so so so so}", "center_hz", number_to_json(t->center_hz), "rate_hz",
                     number_to_json(t->rate_hz), "gain", text_to_json(t->gain), "ppm",
                     number_to_json(t->ppm), "bandwidth_hz", number_to_json(t->bandwidth_hz),
                     "antenna", text_to_json(t->antenna));
}

static json_t *source_to_json(const struct status *s)
{
    const struct stream *stream = &s->stream;
    struct tuning tuning = stream->tuning;
    if (stream->rate_assumed)
        tuning.rate_hz = NAN;
    return json_pack("{ss so ss so sb sb sb so so so so so}", "name", s->source, "about",
                     text_to_json(stream->about), "format", fft_iq_name(stream->format), "tuning",
                     tuning_to_json(&tuning), "rate_assumed", stream->rate_assumed, "simulated",
                     stream->simulated, "hardware_time", stream->hardware_time, "gain_db",
                     number_to_json(stream->gain_db), "timeouts", count_to_json(s->timeouts),
                     "reopened", count_to_json(s->reopened), "abandoned",
                     count_to_json(s->abandoned), "clock_corrections",
                     count_to_json(s->clock_corrections));
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

/* The active plan, with the figures that real-time analysers specify. */
static json_t *spectrum_to_json(const struct status *s)
{
    const struct dsp_status *d = &s->dsp;
    const double rate = known_rate(s);
    return json_pack("{so so so ss so so so so so so so so}", "fft_size", count_to_json(d->n),
                     "hop", count_to_json(d->hop), "frames_per_line",
                     count_to_json(d->frames_per_line), "window", d->window, "enbw_bins",
                     number_to_json(d->enbw_bins), "line_rate_hz", number_to_json(d->line_rate_hz),
                     "rbw_hz", number_to_json(resolution_rbw_hz(d->n, d->enbw_bins, rate)),
                     "rbw_3db_hz", number_to_json(resolution_rbw_hz(d->n, d->width_3db_bins, rate)),
                     "vbw_hz", number_to_json(resolution_vbw_hz(d->frames_per_line, d->hop, rate)),
                     "spectra_per_second",
                     number_to_json(resolution_spectra_per_second(d->hop, rate)), "poi_seconds",
                     number_to_json(resolution_poi_seconds(d->n, d->hop, rate)), "density",
                     density_to_json(&d->lines.density));
}

json_t *settings_to_json(const struct settings *w)
{
    char window[32];
    json_t *object = tuning_to_json(&w->tuning);
    json_object_set_new(object, "fft_size", count_to_json(w->n));
    json_object_set_new(object, "rbw_hz", number_to_json(w->rbw_hz));
    json_object_set_new(object, "overlap", number_to_json(w->overlap));
    json_object_set_new(object, "window",
                        text_to_json(fft_window_format(&w->window, window, sizeof window)));
    json_object_set_new(object, "average", count_to_json(w->average));
    json_object_set_new(object, "line_rate", number_to_json(w->line_rate_hz));
    return object;
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
    return json_pack("{ss so so so so so}", "state", output_state_name(o), "error", error, "rows",
                     count_to_json(o->rows), "folded", count_to_json(o->folded), "missed",
                     count_to_json(o->missed), "dropped", count_to_json(o->dropped));
}

static json_t *measure_to_json(const struct measurer_state *m)
{
    return json_pack("{so so so so}", "measurements", count_to_json(m->measurements), "lines",
                     count_to_json(m->lines), "missed", count_to_json(m->missed), "without_samples",
                     count_to_json(m->without_iq));
}

/* null: there is none. */
static json_t *calibration_to_json(const struct calibration_status *c)
{
    if (!c->file)
        return json_null();
    return json_pack("{so so so so so}", "file", text_to_json(c->file), "serial",
                     c->serial[0] ? text_to_json(c->serial) : json_null(), "date",
                     c->date[0] ? text_to_json(c->date) : json_null(), "uncertainty_db",
                     number_to_json(c->uncertainty_db), "offset_db", number_to_json(c->offset_db));
}

static json_t *outputs_to_json(const struct status *s)
{
    json_t *object = json_object();
    for (int i = 0; i < STATUS_OUTPUTS; i++)
        if (s->output[i].name)
            json_object_set_new(object, s->output[i].name, output_to_json(&s->output[i]));
    return object;
}

/* Seconds since the last step of each thread. */
static json_t *beat_ages_to_json(const struct status *s)
{
    return json_pack("{so so}", "source", number_to_json((double)s->source_beat_age_ns * 1e-9),
                     "dsp", number_to_json((double)s->dsp.beat_age_ns * 1e-9));
}

json_t *status_to_json(const struct status *s)
{
    return json_pack(
        "{ss ss so ss so so so so so so so so so so so so so}", "version", FFTD_VERSION, "state",
        source_state_name(s->state), "message", text_to_json(s->message), "advice", advice_text(s),
        "seconds", number_to_json(s->seconds), "epoch", count_to_json(s->dsp.epoch), "source",
        source_to_json(s), "spectrum", spectrum_to_json(s), "engine", engine_to_json(s), "beat_age",
        beat_ages_to_json(s), "ledger", ledger_to_json(&s->dsp.ledger), "wanted",
        settings_to_json(&s->settings), "ring_bytes", count_to_json(s->dsp.ring_bytes), "ring_fill",
        number_to_json(s->dsp.ring_fill), "outputs", outputs_to_json(s), "measure",
        measure_to_json(&s->measure), "calibration", calibration_to_json(&s->calibration));
}
