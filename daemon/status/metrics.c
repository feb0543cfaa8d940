/* metrics.c - the metrics of the status and the measurements. */
#include "daemon/status/metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/figure/figure_report.h"
#include "daemon/line/resolution.h"
#include "daemon/status/status.h"
#include "daemon/system/build_commit.h"

static void write_infos(const struct metric_writer *m, const struct status *s)
{
    metric_head(m, "fftd_build", METRIC_INFO, "The version of fftd, and its commit.");
    fprintf(m->f, "fftd_build_info{version=\"%s\"", FFTD_VERSION);
    metric_label(m->f, "revision", build_commit(), ',');
    fputs("} 1\n", m->f);
    metric_head(m, "fftd_source", METRIC_INFO,
                "The source of samples, and whether it is simulated.");
    fputs("fftd_source_info", m->f);
    metric_label(m->f, "source", s->source, '{');
    metric_label(m->f, "about", s->stream.about, ',');
    metric_label(m->f, "simulated", s->stream.simulated ? "true" : "false", ',');
    fputs("} 1\n", m->f);
    metric_head(m, "fftd_engine", METRIC_INFO, "The engine that computes the FFTs.");
    fputs("fftd_engine_info", m->f);
    metric_label(m->f, "engine", s->dsp.engine, '{');
    fputs("} 1\n", m->f);
    metric_head(m, "fftd_state", METRIC_STATESET, "The state of the source.");
    for (int i = SOURCE_STARTING; i <= SOURCE_FAILED; i++)
        fprintf(m->f, "fftd_state{fftd_state=\"%s\"} %d\n", source_state_name((enum source_state)i),
                s->state == (enum source_state)i);
}

static void write_samples(const struct metric_writer *m, const struct status *s)
{
    figures_write(m, ledger_figures, &s->dsp.ledger);
    figures_write(m, source_figures, &s->source_counts);
    metric_counter(m, "fftd_engine_fallbacks",
                   "Times that the CPU engine replaced a failed engine.", s->dsp.fallbacks);
}

static void write_figures(const struct metric_writer *m, const struct status *s)
{
    const struct dsp_status *d = &s->dsp;
    /* NAN: no stream yet, or a recording of unknown rate */
    const double rate = d->n && !s->stream.rate_assumed ? s->stream.tuning.rate_hz : NAN;
    metric_gauge(m, "fftd_center_hertz", "Centre frequency of the radio.",
                 s->stream.tuning.center_hz);
    metric_gauge(m, "fftd_sample_rate_hertz", "Samples per second.", rate);
    metric_gauge(m, "fftd_usable_band_hertz", "Width of the band that is measured and written.",
                 rate * s->settings.usable_percent / 100);
    metric_gauge(m, "fftd_fft_size", "FFT size: samples in a frame.", d->n);
    metric_gauge(m, "fftd_rbw_hertz", "Resolution bandwidth: the noise bandwidth of a bin.",
                 resolution_rbw_hz(d->n, d->enbw_bins, rate));
    metric_gauge(m, "fftd_spectra_per_second", "FFTs per second of samples.",
                 resolution_spectra_per_second(d->hop, rate));
    metric_gauge(m, "fftd_poi_seconds",
                 "Shortest signal that is certain to be measured at its full level.",
                 dsp_status_poi_seconds(d, rate));
    metric_gauge(m, "fftd_line_rate_hertz", "Lines of spectrum per second of samples.",
                 d->line_rate_hz);
    metric_gauge(m, "fftd_dc_dbfs", "Estimated offset of the samples, in dBFS.",
                 d->front_end.dc_dbfs);
    metric_gauge(m, "fftd_iq_gain_error_db", "Estimated gain of Q against I, in dB.",
                 d->front_end.gain_db);
    metric_gauge(m, "fftd_iq_phase_error_degrees", "Estimated phase error between I and Q.",
                 d->front_end.phase_degrees);
    metric_gauge(m, "fftd_image_rejection_db",
                 "Image rejection with these two errors, before the correction.",
                 d->front_end.image_rejection_db);
    metric_gauge(m, "fftd_adc_headroom_db", "From the largest I or Q of late to full scale, in dB.",
                 d->headroom_db);
    metric_gauge(m, "fftd_ring_bytes", "Size of the IQ ring in bytes.", (double)d->ring_bytes);
    metric_gauge(m, "fftd_ring_fill", "Part of the IQ ring in use, from 0 to 1.", d->ring_fill);
    metric_gauge(m, "fftd_uptime_seconds", "Seconds since fftd started.", s->seconds);
}

static void write_outputs(const struct metric_writer *m, const struct status *s)
{
    struct figure_item items[STATUS_OUTPUTS];
    for (int i = 0; i < STATUS_OUTPUTS; i++)
        items[i] = (struct figure_item){s->output[i].name, &s->output[i]};
    figures_write_items(m, output_figures, "output", items, STATUS_OUTPUTS);
    metric_head(m, "fftd_output_failing", METRIC_GAUGE, "1 while an output cannot be written.");
    for (int i = 0; i < STATUS_OUTPUTS; i++)
        if (s->output[i].name)
            fprintf(m->f, "fftd_output_failing{output=\"%s\"} %d\n", s->output[i].name,
                    s->output[i].error < 0);
}

static void write_beats(const struct metric_writer *m, const struct status *s)
{
    metric_head(m, "fftd_beat_age_seconds", METRIC_GAUGE,
                "Seconds since the last step of a thread.");
    fprintf(m->f, "fftd_beat_age_seconds{thread=\"source\"} %.3f\n",
            (double)s->source_beat_age_ns * 1e-9);
    fprintf(m->f, "fftd_beat_age_seconds{thread=\"dsp\"} %.3f\n",
            (double)s->dsp.beat_age_ns * 1e-9);
}

/* ---- measurements ----------------------------------------------------------------------- */

static void write_measure(FILE *f, const char *family, const struct measure_report *r)
{
    fputs(family, f);
    metric_label(f, "name", r->name, '{');
    metric_label(f, "type", r->ops->name, ',');
}

static void write_values(FILE *f, const struct measure_snapshot *s, const struct measure_report *r)
{
    for (unsigned i = 0; i < r->values; i++) {
        const struct measure_value *v = &r->value[i];
        const struct measure_shown shown = measure_show(s, v->unit, v->value, v->at_hz);
        write_measure(f, "fftd_measure_value", r);
        metric_label(f, "value", v->name, ',');
        metric_label(f, "unit", measure_shown_unit(&shown, v->unit), ',');
        fputc('}', f);
        metric_value(f, shown.value);
    }
}

/* A measurement that cannot be right has no value: its series ends. */
static void write_measures(const struct metric_writer *m, const struct status *s,
                           const struct measure_snapshot *measured)
{
    const size_t count = measured ? measured->count : 0;
    figures_write(m, measure_thread_figures, &s->measure);
    metric_head(m, "fftd_measure_value", METRIC_GAUGE,
                "Newest value of a measurement, in its unit.");
    for (size_t i = 0; i < count; i++)
        write_values(m->f, measured, &measured->report[i]);
    metric_head(m, "fftd_measure_valid", METRIC_GAUGE, "1 while a measurement can be right.");
    for (size_t i = 0; i < count; i++) {
        write_measure(m->f, "fftd_measure_valid", &measured->report[i]);
        fprintf(m->f, "} %d\n", !measured->report[i].reason[0]);
    }
    metric_head(m, "fftd_measure_pass", METRIC_GAUGE,
                "1 while a measurement is within its limits.");
    for (size_t i = 0; i < count; i++) {
        if (measured->report[i].verdict == MEASURE_NO_LIMIT)
            continue;
        write_measure(m->f, "fftd_measure_pass", &measured->report[i]);
        fprintf(m->f, "} %d\n", measured->report[i].verdict == MEASURE_PASS);
    }
}

/* ---- what not every run has -------------------------------------------------------------- */

static void write_if(bool on, const struct metric_writer *m, const struct figure *rows,
                     const void *of)
{
    if (on)
        figures_write(m, rows, of);
}

static void write_parts(const struct metric_writer *m, const struct status *s)
{
    write_if(s->record.on, m, record_figures, &s->record);
    write_if(s->channels.on, m, channels_figures, &s->channels);
    write_if(s->audio.on, m, audio_figures, &s->audio);
    write_if(s->rtl_tcp.on, m, rtl_tcp_figures, &s->rtl_tcp);
    write_if(s->record.history_bytes > 0, m, disk_figures, &s->record);
    write_if(s->archive.on, m, archiver_figures, &s->archive);
    figures_write(m, triggers_figures, &s->triggers);
    write_if(s->event_log.on, m, event_log_figures, &s->event_log);
    write_if(s->webhooks.on, m, webhooks_figures, &s->webhooks);
    write_if(s->nats.on, m, nats_figures, &s->nats);
}

void metrics_write(const struct metric_writer *m, const struct status *s,
                   const struct measure_snapshot *measured)
{
    write_infos(m, s);
    write_samples(m, s);
    write_figures(m, s);
    write_beats(m, s);
    write_outputs(m, s);
    write_measures(m, s, measured);
    write_parts(m, s);
}
