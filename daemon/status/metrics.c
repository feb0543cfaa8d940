/* metrics.c - writes the metric families of OpenMetrics text. */
#include "daemon/status/metrics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/line/resolution.h"

/*
 * The head of a metric family (https://openmetrics.io, "OpenMetrics 1.0"). TYPE and HELP name a
 * counter without _total, its samples with it.
 */
static void write_head(FILE *f, const char *name, const char *type, const char *help)
{
    fprintf(f, "# TYPE %s %s\n# HELP %s %s\n", name, type, name, help);
}

static void write_counter(FILE *f, const char *name, const char *help, uint64_t value)
{
    write_head(f, name, "counter", help);
    fprintf(f, "%s_total %" PRIu64 "\n", name, value);
}

static void write_gauge(FILE *f, const char *name, const char *help, double value)
{
    write_head(f, name, "gauge", help);
    if (isnan(value))
        fprintf(f, "%s NaN\n", name);
    else if (isinf(value))
        fprintf(f, "%s %cInf\n", name, value > 0 ? '+' : '-');
    else
        fprintf(f, "%s %.17g\n", name, value);
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

static void write_causes(FILE *f, const char *name, const char *help,
                         const uint64_t values[LOSS_CAUSES])
{
    write_head(f, name, "counter", help);
    for (int i = 0; i < LOSS_CAUSES; i++)
        fprintf(f, "%s_total{cause=\"%s\"} %" PRIu64 "\n", name, loss_name((enum loss)i),
                values[i]);
}

static void write_infos(FILE *f, const struct status *s)
{
    write_head(f, "fftd_build", "info", "The version of fftd.");
    fprintf(f, "fftd_build_info{version=\"%s\"} 1\n", FFTD_VERSION);
    write_head(f, "fftd_source", "info", "The source of samples, and whether it is simulated.");
    fputs("fftd_source_info", f);
    write_label(f, "source", s->source, '{');
    write_label(f, "about", s->stream.about, ',');
    write_label(f, "simulated", s->stream.simulated ? "true" : "false", ',');
    fputs("} 1\n", f);
    write_head(f, "fftd_engine", "info", "The engine that computes the FFTs.");
    fputs("fftd_engine_info", f);
    write_label(f, "engine", s->dsp.engine, '{');
    fputs("} 1\n", f);
    write_head(f, "fftd_state", "stateset", "The state of the source.");
    for (int i = SOURCE_STARTING; i <= SOURCE_FAILED; i++)
        fprintf(f, "fftd_state{fftd_state=\"%s\"} %d\n", source_state_name((enum source_state)i),
                s->state == (enum source_state)i);
}

static void write_samples(FILE *f, const struct status *s)
{
    const struct ledger *l = &s->dsp.ledger;
    write_counter(f, "fftd_samples", "Samples that the source produced, including lost ones.",
                  l->produced);
    write_counter(f, "fftd_seen_samples", "Samples used in at least one frame.", l->seen);
    write_causes(f, "fftd_lost_samples", "Samples known to be lost, by cause.", l->lost);
    write_causes(f, "fftd_loss_events", "Times that samples were lost, by cause.", l->events);
    write_counter(f, "fftd_adc_clip", "Seen samples at either end of the range of the converter.",
                  l->clipped);
    write_counter(f, "fftd_frames", "FFTs folded into lines.", l->frames);
    write_counter(f, "fftd_lines", "Lines of spectrum produced.", l->lines);
    write_counter(f, "fftd_lines_folded",
                  "Lines folded into the next line because no block was free.", l->folded);
    write_counter(f, "fftd_read_timeouts", "Reads of the device that timed out without samples.",
                  s->timeouts);
    write_counter(f, "fftd_source_reopened", "Times that the device was reopened.", s->reopened);
    write_counter(f, "fftd_source_abandoned", "Stuck source threads that were abandoned.",
                  s->abandoned);
    write_counter(f, "fftd_engine_fallbacks", "Times that the CPU engine replaced a failed engine.",
                  s->dsp.fallbacks);
}

static void write_figures(FILE *f, const struct status *s)
{
    const struct dsp_status *d = &s->dsp;
    /* NAN: no stream yet, or a recording of unknown rate */
    const double rate = d->n && !s->stream.rate_assumed ? s->stream.tuning.rate_hz : NAN;
    write_gauge(f, "fftd_center_hertz", "Centre frequency of the radio.",
                s->stream.tuning.center_hz);
    write_gauge(f, "fftd_sample_rate_hertz", "Samples per second.", rate);
    write_gauge(f, "fftd_fft_size", "FFT size: samples in a frame.", d->n);
    write_gauge(f, "fftd_rbw_hertz", "Resolution bandwidth: the noise bandwidth of a bin.",
                resolution_rbw_hz(d->n, d->enbw_bins, rate));
    write_gauge(f, "fftd_spectra_per_second", "FFTs per second of samples.",
                resolution_spectra_per_second(d->hop, rate));
    write_gauge(f, "fftd_poi_seconds",
                "Shortest signal that is certain to be measured at its full level.",
                resolution_poi_seconds(d->n, d->hop, rate));
    write_gauge(f, "fftd_line_rate_hertz", "Lines of spectrum per second of samples.",
                d->line_rate_hz);
    write_gauge(f, "fftd_ring_bytes", "Size of the IQ ring in bytes.", (double)d->ring_bytes);
    write_gauge(f, "fftd_ring_fill", "Part of the IQ ring in use, from 0 to 1.", d->ring_fill);
    write_gauge(f, "fftd_uptime_seconds", "Seconds since fftd started.", s->seconds);
}

static void write_clients(FILE *f, const struct server_counts *c)
{
    write_gauge(f, "fftd_clients", "Websocket clients connected now.", c->clients);
    write_gauge(f, "fftd_views", "Distinct views rendered for clients.", c->views);
    write_counter(f, "fftd_clients_accepted", "Websocket clients accepted since start.",
                  c->clients_total);
    write_counter(f, "fftd_refused", "Connections and websocket upgrades refused.",
                  c->refused_total);
    write_counter(f, "fftd_client_frames", "Spectrum frames sent to clients.", c->frames_total);
    write_counter(f, "fftd_client_merged",
                  "Lines that slow clients received folded into a later line.", c->merged_total);
    write_counter(f, "fftd_server_lines_missed", "Lines overwritten before the server read them.",
                  c->lines_missed);
}

char *metrics_text(const struct status *s, const struct server_counts *counts, size_t *size)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, size);
    if (!f)
        return NULL;
    write_infos(f, s);
    write_samples(f, s);
    write_figures(f, s);
    write_clients(f, counts);
    fputs("# EOF\n", f);
    if (fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
