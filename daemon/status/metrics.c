/*
 * metrics.c - writes the metric families, in the text format of Prometheus (version 0.0.4) or as
 * OpenMetrics 1.0 (https://openmetrics.io).
 */
#include "daemon/status/metrics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/line/resolution.h"

struct metrics {
    FILE *f;
    enum metrics_format format;
};

/* A counter, an info (a constant 1 with labels), a set of states, or a gauge. */
enum kind { COUNTER, INFO, STATESET, GAUGE };

static const struct {
    const char *openmetrics, *text; /* names of the type in the two formats */
    const char *suffix;             /* of the samples */
} kinds[] = {
    [COUNTER] = {"counter", "counter", "_total"},
    [INFO] = {"info", "gauge", "_info"},
    [STATESET] = {"stateset", "gauge", ""},
    [GAUGE] = {"gauge", "gauge", ""},
};

/* In OpenMetrics, TYPE and HELP name the family without the suffix; in the text format with it. */
static void write_head(const struct metrics *m, const char *name, enum kind kind, const char *help)
{
    const bool text = m->format == METRICS_TEXT;
    const char *suffix = text ? kinds[kind].suffix : "";
    fprintf(m->f, "# TYPE %s%s %s\n# HELP %s%s %s\n", name, suffix,
            text ? kinds[kind].text : kinds[kind].openmetrics, name, suffix, help);
}

static void write_counter(const struct metrics *m, const char *name, const char *help,
                          uint64_t value)
{
    write_head(m, name, COUNTER, help);
    fprintf(m->f, "%s_total %" PRIu64 "\n", name, value);
}

static void write_value(FILE *f, double value)
{
    if (isnan(value))
        fputs(" NaN\n", f);
    else if (isinf(value))
        fprintf(f, " %cInf\n", value > 0 ? '+' : '-');
    else
        fprintf(f, " %.17g\n", value);
}

static void write_gauge(const struct metrics *m, const char *name, const char *help, double value)
{
    write_head(m, name, GAUGE, help);
    fputs(name, m->f);
    write_value(m->f, value);
}

/* Writes a label with its value escaped. '?' replaces bytes above 127: they may not be UTF-8. */
static void write_label(FILE *f, const char *name, const char *value, char before)
{
    fprintf(f, "%c%s=\"", before, name);
    for (; *value; value++) {
        if (*value == '\n')
            fputs("\\n", f);
        else if (*value == '"' || *value == '\\')
            fprintf(f, "\\%c", *value);
        else
            fputc((unsigned char)*value < 128 ? *value : '?', f);
    }
    fputc('"', f);
}

static void write_causes(const struct metrics *m, const char *name, const char *help,
                         const uint64_t values[LOSS_CAUSES])
{
    write_head(m, name, COUNTER, help);
    for (int i = 0; i < LOSS_CAUSES; i++)
        fprintf(m->f, "%s_total{cause=\"%s\"} %" PRIu64 "\n", name, loss_name((enum loss)i),
                values[i]);
}

static void write_infos(const struct metrics *m, const struct status *s)
{
    write_head(m, "fftd_build", INFO, "The version of fftd.");
    fprintf(m->f, "fftd_build_info{version=\"%s\"} 1\n", FFTD_VERSION);
    write_head(m, "fftd_source", INFO, "The source of samples, and whether it is simulated.");
    fputs("fftd_source_info", m->f);
    write_label(m->f, "source", s->source, '{');
    write_label(m->f, "about", s->stream.about, ',');
    write_label(m->f, "simulated", s->stream.simulated ? "true" : "false", ',');
    fputs("} 1\n", m->f);
    write_head(m, "fftd_engine", INFO, "The engine that computes the FFTs.");
    fputs("fftd_engine_info", m->f);
    write_label(m->f, "engine", s->dsp.engine, '{');
    fputs("} 1\n", m->f);
    write_head(m, "fftd_state", STATESET, "The state of the source.");
    for (int i = SOURCE_STARTING; i <= SOURCE_FAILED; i++)
        fprintf(m->f, "fftd_state{fftd_state=\"%s\"} %d\n", source_state_name((enum source_state)i),
                s->state == (enum source_state)i);
}

static void write_samples(const struct metrics *m, const struct status *s)
{
    const struct ledger *l = &s->dsp.ledger;
    write_counter(m, "fftd_samples", "Samples that the source produced, including lost ones.",
                  l->produced);
    write_counter(m, "fftd_seen_samples", "Samples used in at least one frame.", l->seen);
    write_causes(m, "fftd_lost_samples", "Samples known to be lost, by cause.", l->lost);
    write_causes(m, "fftd_loss_events", "Times that samples were lost, by cause.", l->events);
    write_counter(m, "fftd_adc_clip", "Seen samples at either end of the range of the converter.",
                  l->clipped);
    write_counter(m, "fftd_beyond_full_scale_samples",
                  "Seen samples beyond full scale, of floats that are not normalised.", l->beyond);
    write_counter(m, "fftd_invalid_samples",
                  "Seen samples that are NaN, infinite or beyond +300 dBFS, read as 0.",
                  l->invalid);
    write_counter(m, "fftd_frames", "FFTs folded into lines.", l->frames);
    write_counter(m, "fftd_lines", "Lines of spectrum produced.", l->lines);
    write_counter(m, "fftd_lines_folded",
                  "Lines folded into the next line because no block was free.", l->folded);
    write_counter(m, "fftd_read_timeouts", "Reads of the device that timed out without samples.",
                  s->timeouts);
    write_counter(m, "fftd_source_reopened", "Times that the device was reopened.", s->reopened);
    write_counter(m, "fftd_source_abandoned", "Stuck source threads that were abandoned.",
                  s->abandoned);
    write_counter(m, "fftd_clock_corrections",
                  "Corrections of the samples' time after a step or drift of a clock.",
                  s->clock_corrections);
    write_counter(m, "fftd_engine_fallbacks", "Times that the CPU engine replaced a failed engine.",
                  s->dsp.fallbacks);
}

static void write_figures(const struct metrics *m, const struct status *s)
{
    const struct dsp_status *d = &s->dsp;
    /* NAN: no stream yet, or a recording of unknown rate */
    const double rate = d->n && !s->stream.rate_assumed ? s->stream.tuning.rate_hz : NAN;
    write_gauge(m, "fftd_center_hertz", "Centre frequency of the radio.",
                s->stream.tuning.center_hz);
    write_gauge(m, "fftd_sample_rate_hertz", "Samples per second.", rate);
    write_gauge(m, "fftd_fft_size", "FFT size: samples in a frame.", d->n);
    write_gauge(m, "fftd_rbw_hertz", "Resolution bandwidth: the noise bandwidth of a bin.",
                resolution_rbw_hz(d->n, d->enbw_bins, rate));
    write_gauge(m, "fftd_spectra_per_second", "FFTs per second of samples.",
                resolution_spectra_per_second(d->hop, rate));
    write_gauge(m, "fftd_poi_seconds",
                "Shortest signal that is certain to be measured at its full level.",
                resolution_poi_seconds(d->n, d->hop, rate));
    write_gauge(m, "fftd_line_rate_hertz", "Lines of spectrum per second of samples.",
                d->line_rate_hz);
    write_gauge(m, "fftd_ring_bytes", "Size of the IQ ring in bytes.", (double)d->ring_bytes);
    write_gauge(m, "fftd_ring_fill", "Part of the IQ ring in use, from 0 to 1.", d->ring_fill);
    write_gauge(m, "fftd_uptime_seconds", "Seconds since fftd started.", s->seconds);
}

/* One family of the outputs: a counter, or a gauge that is 0 or 1. */
static void write_output_family(const struct metrics *m, const struct status *s, const char *name,
                                const char *help, enum kind kind,
                                uint64_t (*value)(const struct output_state *o))
{
    write_head(m, name, kind, help);
    for (int i = 0; i < STATUS_OUTPUTS; i++) {
        if (s->output[i].name)
            fprintf(m->f, "%s%s{output=\"%s\"} %" PRIu64 "\n", name, kinds[kind].suffix,
                    s->output[i].name, value(&s->output[i]));
    }
}

static uint64_t rows_of(const struct output_state *o)
{
    return o->rows;
}

static uint64_t dropped_of(const struct output_state *o)
{
    return o->dropped;
}

static uint64_t failing_of(const struct output_state *o)
{
    return o->error < 0;
}

static void write_outputs(const struct metrics *m, const struct status *s)
{
    write_output_family(m, s, "fftd_output_rows", "Rows made for an output.", COUNTER, rows_of);
    write_output_family(m, s, "fftd_output_dropped_lines",
                        "Lines dropped because the output could not be written.", COUNTER,
                        dropped_of);
    write_output_family(m, s, "fftd_output_failing", "1 while an output cannot be written.", GAUGE,
                        failing_of);
}

static void write_beats(const struct metrics *m, const struct status *s)
{
    write_head(m, "fftd_beat_age_seconds", GAUGE, "Seconds since the last step of a thread.");
    fprintf(m->f, "fftd_beat_age_seconds{thread=\"source\"} %.3f\n",
            (double)s->source_beat_age_ns * 1e-9);
    fprintf(m->f, "fftd_beat_age_seconds{thread=\"dsp\"} %.3f\n",
            (double)s->dsp.beat_age_ns * 1e-9);
}

static void write_clients(const struct metrics *m, const struct server_counts *c)
{
    write_gauge(m, "fftd_clients", "Websocket clients connected now.", c->clients);
    write_gauge(m, "fftd_views", "Distinct views rendered for clients.", c->views);
    write_counter(m, "fftd_clients_accepted", "Websocket clients accepted since start.",
                  c->clients_total);
    write_counter(m, "fftd_refused", "Connections and websocket upgrades refused.",
                  c->refused_total);
    write_counter(m, "fftd_displaced", "Clients closed to make room for another address.",
                  c->displaced_total);
    write_counter(m, "fftd_client_frames", "Spectrum frames sent to clients.", c->frames_total);
    write_counter(m, "fftd_client_merged",
                  "Lines that slow clients received folded into a later line.", c->merged_total);
    write_counter(m, "fftd_server_lines_missed", "Lines overwritten before the server read them.",
                  c->lines_missed);
    write_counter(m, "fftd_spectra", "Spectra rendered for HTTP.", c->spectra_total);
    write_gauge(m, "fftd_answer_bytes", "Bytes of HTTP answers that are not read yet.",
                (double)c->answer_bytes);
    write_counter(m, "fftd_wrong_tokens", "Control tokens refused.", c->wrong_tokens_total);
    write_counter(m, "fftd_blocked_tokens",
                  "Control tokens refused unread after too many wrong ones from an address.",
                  c->blocked_tokens_total);
}

/* ---- measurements ----------------------------------------------------------------------- */

static void write_measure(FILE *f, const char *family, const struct measure_report *r)
{
    fputs(family, f);
    write_label(f, "name", r->name, '{');
    write_label(f, "type", r->ops->name, ',');
}

static void write_values(FILE *f, const struct measure_snapshot *s, const struct measure_report *r)
{
    for (unsigned i = 0; i < r->values; i++) {
        const struct measure_value *v = &r->value[i];
        const struct measure_shown shown = measure_show(s, v->unit, v->value, v->at_hz);
        write_measure(f, "fftd_measure_value", r);
        write_label(f, "value", v->name, ',');
        write_label(f, "unit", measure_shown_unit(&shown, v->unit), ',');
        fputc('}', f);
        write_value(f, shown.value);
    }
}

/* A measurement that cannot be right has no value: its series ends. */
static void write_measures(const struct metrics *m, const struct status *s,
                           const struct measure_snapshot *measured)
{
    const size_t count = measured ? measured->count : 0;
    write_gauge(m, "fftd_measurements", "Measurements set up.", s->measure.measurements);
    write_counter(m, "fftd_measured_lines", "Lines that were measured.", s->measure.lines);
    write_counter(m, "fftd_measure_missed_lines", "Lines overwritten before they were measured.",
                  s->measure.missed);
    write_head(m, "fftd_measure_value", GAUGE, "Newest value of a measurement, in its unit.");
    for (size_t i = 0; i < count; i++)
        write_values(m->f, measured, &measured->report[i]);
    write_head(m, "fftd_measure_valid", GAUGE, "1 while a measurement can be right.");
    for (size_t i = 0; i < count; i++) {
        write_measure(m->f, "fftd_measure_valid", &measured->report[i]);
        fprintf(m->f, "} %d\n", !measured->report[i].reason[0]);
    }
    write_head(m, "fftd_measure_pass", GAUGE, "1 while a measurement is within its limits.");
    for (size_t i = 0; i < count; i++) {
        if (measured->report[i].verdict == MEASURE_NO_LIMIT)
            continue;
        write_measure(m->f, "fftd_measure_pass", &measured->report[i]);
        fprintf(m->f, "} %d\n", measured->report[i].verdict == MEASURE_PASS);
    }
}

char *metrics_text(const struct status *s, const struct server_counts *counts,
                   const struct measure_snapshot *measured, enum metrics_format format,
                   size_t *size)
{
    char *text = NULL;
    const struct metrics m = {open_memstream(&text, size), format};
    if (!m.f)
        return NULL;
    write_infos(&m, s);
    write_samples(&m, s);
    write_figures(&m, s);
    write_beats(&m, s);
    write_outputs(&m, s);
    write_measures(&m, s, measured);
    write_clients(&m, counts);
    if (format == METRICS_OPENMETRICS)
        fputs("# EOF\n", m.f);
    if (fclose(m.f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

const char *metrics_type(enum metrics_format format)
{
    return format == METRICS_TEXT ? "text/plain; version=0.0.4; charset=utf-8"
                                  : "application/openmetrics-text; version=1.0.0; charset=utf-8";
}
