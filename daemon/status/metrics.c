#include "daemon/status/metrics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/line/resolution.h"

/*
 * A metric family: https://openmetrics.io, "OpenMetrics 1.0". Counters are named without _total in
 * TYPE and HELP, and with it in their samples.
 */
static void describe(FILE *f, const char *name, const char *type, const char *help)
{
    fprintf(f, "# TYPE %s %s\n# HELP %s %s\n", name, type, name, help);
}

static void counter(FILE *f, const char *name, const char *help, uint64_t value)
{
    describe(f, name, "counter", help);
    fprintf(f, "%s_total %" PRIu64 "\n", name, value);
}

static void gauge(FILE *f, const char *name, const char *help, double value)
{
    describe(f, name, "gauge", help);
    if (isnan(value))
        fprintf(f, "%s NaN\n", name);
    else if (isinf(value))
        fprintf(f, "%s %cInf\n", name, value > 0 ? '+' : '-');
    else
        fprintf(f, "%s %.17g\n", name, value);
}

/* A label's value, escaped; bytes that may be no UTF-8 are shown as '?'. */
static void label(FILE *f, const char *name, const char *value, char before)
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

static void by_cause(FILE *f, const char *name, const char *help,
                     const uint64_t values[LOSS_CAUSES])
{
    describe(f, name, "counter", help);
    for (int i = 0; i < LOSS_CAUSES; i++)
        fprintf(f, "%s_total{cause=\"%s\"} %" PRIu64 "\n", name, loss_name((enum loss)i),
                values[i]);
}

static void infos(FILE *f, const struct status *s)
{
    describe(f, "fftd_build", "info", "The program.");
    fprintf(f, "fftd_build_info{version=\"%s\"} 1\n", FFTD_VERSION);
    describe(f, "fftd_source", "info", "Where the samples come from; simulated is no radio.");
    fputs("fftd_source_info", f);
    label(f, "source", s->source, '{');
    label(f, "about", s->stream.about, ',');
    label(f, "simulated", s->stream.simulated ? "true" : "false", ',');
    fputs("} 1\n", f);
    describe(f, "fftd_engine", "info", "What computes the FFTs.");
    fputs("fftd_engine_info", f);
    label(f, "engine", s->dsp.engine, '{');
    fputs("} 1\n", f);
    describe(f, "fftd_state", "stateset", "What the radio does.");
    for (int i = SOURCE_STARTING; i <= SOURCE_FAILED; i++)
        fprintf(f, "fftd_state{fftd_state=\"%s\"} %d\n", source_state_name((enum source_state)i),
                s->state == (enum source_state)i);
}

static void samples(FILE *f, const struct status *s)
{
    const struct ledger *l = &s->dsp.ledger;
    counter(f, "fftd_samples", "Samples that the source made, lost ones included.", l->produced);
    counter(f, "fftd_seen_samples", "Samples that are in at least one frame.", l->seen);
    by_cause(f, "fftd_lost_samples", "Samples lost, as far as known, by cause.", l->lost);
    by_cause(f, "fftd_loss_events", "How often samples were lost, by cause.", l->events);
    counter(f, "fftd_adc_clip", "Samples at a rail, of those seen.", l->clipped);
    counter(f, "fftd_frames", "FFTs that are in a line.", l->frames);
    counter(f, "fftd_lines", "Lines of spectrum.", l->lines);
    counter(f, "fftd_lines_folded", "Lines folded into the next for want of room.", l->folded);
    counter(f, "fftd_read_timeouts", "Reads of the device that brought nothing.", s->timeouts);
    counter(f, "fftd_source_reopened", "Times that the device was opened again.", s->reopened);
    counter(f, "fftd_source_abandoned", "Source threads given up as stuck.", s->abandoned);
    counter(f, "fftd_engine_fallbacks", "Falls back to the CPU engine.", s->dsp.fallbacks);
}

static void figures(FILE *f, const struct status *s)
{
    const struct dsp_status *d = &s->dsp;
    const double rate = d->n ? s->stream.tuning.rate_hz : NAN; /* NAN: no stream yet */
    gauge(f, "fftd_center_hertz", "Centre frequency.", s->stream.tuning.center_hz);
    gauge(f, "fftd_sample_rate_hertz", "Samples per second.", rate);
    gauge(f, "fftd_fft_size", "Samples a frame.", d->n);
    gauge(f, "fftd_rbw_hertz", "Noise bandwidth of a bin.",
          resolution_rbw_hz(d->n, d->enbw_bins, rate));
    gauge(f, "fftd_spectra_per_second", "FFTs per second.",
          resolution_spectra_per_second(d->hop, rate));
    gauge(f, "fftd_poi_seconds", "Shortest signal that is surely seen at its full level.",
          resolution_poi_seconds(d->n, d->hop, rate));
    gauge(f, "fftd_line_rate_hertz", "Lines per second.", d->line_rate_hz);
    gauge(f, "fftd_ring_bytes", "Size of the IQ ring.", (double)d->ring_bytes);
    gauge(f, "fftd_ring_fill", "Part of the IQ ring that is held, 0 to 1.", d->ring_fill);
    gauge(f, "fftd_uptime_seconds", "Since start.", s->seconds);
}

static void browsers(FILE *f, const struct server_counts *c)
{
    gauge(f, "fftd_clients", "Websocket clients.", c->clients);
    gauge(f, "fftd_views", "Distinct views that are rendered.", c->views);
    counter(f, "fftd_clients_accepted", "Websocket clients ever.", c->clients_total);
    counter(f, "fftd_refused", "Connections and upgrades refused.", c->refused_total);
    counter(f, "fftd_client_frames", "Spectra sent to clients.", c->frames_total);
    counter(f, "fftd_client_merged", "Lines that clients got merged into a later one.",
            c->merged_total);
    counter(f, "fftd_server_lines_missed", "Lines that the server took too late.", c->lines_missed);
}

char *metrics_text(const struct status *s, const struct server_counts *counts, size_t *size)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, size);
    if (!f)
        return NULL;
    infos(f, s);
    samples(f, s);
    figures(f, s);
    browsers(f, counts);
    fputs("# EOF\n", f);
    if (fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
