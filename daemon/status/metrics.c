/* metrics.c - the metrics of the status, the server and the measurements. */
#include "daemon/status/metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/figure/metric_writer.h"
#include "daemon/line/resolution.h"
#include "daemon/status/status.h"
#include "daemon/system/build_commit.h"

static void write_causes(const struct metric_writer *m, const char *name, const char *help,
                         const uint64_t values[LOSS_CAUSES])
{
    metric_head(m, name, METRIC_COUNTER, help);
    for (int i = 0; i < LOSS_CAUSES; i++)
        fprintf(m->f, "%s_total{cause=\"%s\"} %llu\n", name, loss_name((enum loss)i),
                (unsigned long long)values[i]);
}

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
    const struct ledger *l = &s->dsp.ledger;
    metric_counter(m, "fftd_samples", "Samples that the source produced, including lost ones.",
                   l->produced);
    metric_counter(m, "fftd_seen_samples", "Samples used in at least one frame.", l->seen);
    write_causes(m, "fftd_lost_samples", "Samples known to be lost, by cause.", l->lost);
    write_causes(m, "fftd_loss_events", "Times that samples were lost, by cause.", l->events);
    metric_counter(m, "fftd_adc_clip", "Seen samples at either end of the range of the converter.",
                   l->clipped);
    metric_counter(m, "fftd_beyond_full_scale_samples",
                   "Seen samples beyond full scale, of floats that are not normalised.", l->beyond);
    metric_counter(m, "fftd_invalid_samples",
                   "Seen samples that are NaN, infinite or beyond +300 dBFS, read as 0.",
                   l->invalid);
    metric_counter(m, "fftd_frames", "FFTs folded into lines.", l->frames);
    metric_counter(m, "fftd_lines", "Lines of spectrum produced.", l->lines);
    metric_counter(m, "fftd_lines_folded",
                   "Lines folded into the next line because no block was free.", l->folded);
    metric_counter(m, "fftd_read_timeouts", "Reads of the device that timed out without samples.",
                   s->timeouts);
    metric_counter(m, "fftd_source_reopened", "Times that the device was reopened.", s->reopened);
    metric_counter(m, "fftd_source_abandoned", "Stuck source threads that were abandoned.",
                   s->abandoned);
    metric_counter(m, "fftd_clock_corrections",
                   "Corrections of the samples' time after a step or drift of a clock.",
                   s->clock_corrections);
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

/* One family of the outputs: a counter, or a gauge that is 0 or 1. */
static void write_output_family(const struct metric_writer *m, const struct status *s,
                                const char *name, const char *help, enum metric_kind kind,
                                uint64_t (*value)(const struct output_state *o))
{
    metric_head(m, name, kind, help);
    for (int i = 0; i < STATUS_OUTPUTS; i++) {
        if (s->output[i].name)
            fprintf(m->f, "%s%s{output=\"%s\"} %llu\n", name, metric_suffix(kind),
                    s->output[i].name, (unsigned long long)value(&s->output[i]));
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

static void write_outputs(const struct metric_writer *m, const struct status *s)
{
    write_output_family(m, s, "fftd_output_rows", "Rows made for an output.", METRIC_COUNTER,
                        rows_of);
    write_output_family(m, s, "fftd_output_dropped_lines",
                        "Lines dropped because the output could not be written.", METRIC_COUNTER,
                        dropped_of);
    write_output_family(m, s, "fftd_output_failing", "1 while an output cannot be written.",
                        METRIC_GAUGE, failing_of);
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

static void write_clients(const struct metric_writer *m, const struct server_counts *c)
{
    metric_gauge(m, "fftd_clients", "Websocket clients connected now.", c->clients);
    metric_gauge(m, "fftd_views", "Distinct views rendered for clients.", c->views);
    metric_counter(m, "fftd_clients_accepted", "Websocket clients accepted since start.",
                   c->clients_total);
    metric_counter(m, "fftd_refused", "Connections and websocket upgrades refused.",
                   c->refused_total);
    metric_counter(m, "fftd_displaced", "Clients closed to make room for another address.",
                   c->displaced_total);
    metric_counter(m, "fftd_client_frames", "Spectrum frames sent to clients.", c->frames_total);
    metric_counter(m, "fftd_client_merged",
                   "Lines that slow clients received folded into a later line.", c->merged_total);
    metric_counter(m, "fftd_server_lines_missed", "Lines overwritten before the server read them.",
                   c->lines_missed);
    metric_counter(m, "fftd_spectra", "Spectra rendered for HTTP.", c->spectra_total);
    metric_gauge(m, "fftd_answer_bytes", "Bytes of HTTP answers that are not read yet.",
                 (double)c->answer_bytes);
    metric_counter(m, "fftd_wrong_tokens", "Control tokens refused.", c->wrong_tokens_total);
    if (c->tls_not_after_s) {
        metric_gauge(m, "fftd_tls_connections", "Encrypted connections.", c->tls_open);
        metric_counter(m, "fftd_tls_handshakes", "Handshakes of TLS that were completed.",
                       c->tls_handshakes_total);
        metric_counter(m, "fftd_tls_handshake_failures",
                       "Handshakes of TLS that failed or took too long.", c->tls_failures_total);
        metric_gauge(m, "fftd_tls_certificate_not_after_seconds",
                     "Unix time at which the certificate ends.", (double)c->tls_not_after_s);
    }
    metric_counter(m, "fftd_blocked_tokens",
                   "Control tokens refused unread after too many wrong ones from an address.",
                   c->blocked_tokens_total);
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
    metric_gauge(m, "fftd_measurements", "Measurements set up.", s->measure.measurements);
    metric_counter(m, "fftd_measured_lines", "Lines that were measured.", s->measure.lines);
    metric_counter(m, "fftd_measure_missed_lines", "Lines overwritten before they were measured.",
                   s->measure.missed);
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

static void write_recordings(const struct metric_writer *m, const struct record_totals *t)
{
    if (!t->on)
        return;
    metric_gauge(m, "fftd_recordings_running", "Recordings that are being written.", t->running);
    metric_counter(m, "fftd_recordings_ended", "Recordings that ended.", t->ended);
    metric_counter(m, "fftd_recordings_failed", "Recordings that an error or a limit ended.",
                   t->failed);
    metric_counter(m, "fftd_recorded_samples", "Samples written by all recordings.", t->samples);
    metric_counter(m, "fftd_recording_missing_samples",
                   "Samples that were overwritten before they were written.", t->missing);
}

static void write_channels(const struct metric_writer *m, const struct channels_state *c)
{
    if (!c->on)
        return;
    metric_gauge(m, "fftd_channels_open", "Channels that are open.", (double)c->open);
    metric_counter(m, "fftd_channels_opened", "Channels that were opened.", c->opened_total);
    metric_counter(m, "fftd_channel_missed_samples",
                   "Samples that were overwritten before the channels had them.", c->missed);
}

static void write_audio(const struct metric_writer *m, const struct audio_state *a)
{
    if (!a->on)
        return;
    metric_gauge(m, "fftd_audio_receivers", "Demodulators that run.", (double)a->receivers);
    metric_gauge(m, "fftd_audio_encodings", "Formats and rates that audio is encoded in.",
                 (double)a->encodings);
    metric_gauge(m, "fftd_audio_listeners", "Clients that audio is sent to.", (double)a->listeners);
    metric_counter(m, "fftd_audio_skipped_blocks",
                   "Blocks of audio that clients were too slow for, and that have left since.",
                   a->skipped);
}

static void write_rtl_tcp(const struct metric_writer *m, const struct rtl_tcp_state *r)
{
    if (!r->on)
        return;
    metric_gauge(m, "fftd_rtl_tcp_clients", "Clients of the rtl_tcp server.", r->clients);
    metric_counter(m, "fftd_rtl_tcp_connections", "Clients that came.", r->clients_total);
    metric_counter(m, "fftd_rtl_tcp_refused", "Of these, clients that got no channel.", r->refused);
    metric_counter(m, "fftd_rtl_tcp_missing_samples",
                   "Samples of their channels that were lost, or that clients read too slowly for.",
                   r->missing);
    metric_counter(m, "fftd_rtl_tcp_outside",
                   "Times that a client tuned to where the radio does not receive.", r->outside);
    metric_counter(m, "fftd_rtl_tcp_ignored_commands",
                   "Commands of clients that a channel has no use for.", r->ignored);
}

static void write_iq_history(const struct metric_writer *m, const struct record_totals *t)
{
    if (t->history_bytes == 0)
        return;
    metric_gauge(m, "fftd_iq_history_bytes", "Size of the disk ring.", (double)t->history_bytes);
    metric_gauge(m, "fftd_iq_history_used_bytes", "Of samples.", (double)t->history_used_bytes);
    metric_gauge(m, "fftd_iq_history_seconds", "Of samples.", t->history_s);
    metric_counter(m, "fftd_iq_history_written_samples", "Written.", t->history_written);
    metric_counter(m, "fftd_iq_history_overrun_samples", "Disk too slow.", t->history_overrun);
    metric_counter(m, "fftd_iq_history_failed_samples", "Disk refused.", t->history_failed);
}

static void write_archive(const struct metric_writer *m, const struct archiver_state *t)
{
    if (!t->on)
        return;
    metric_counter(m, "fftd_archive_lines", "Lines in the archive.", t->lines);
    metric_counter(m, "fftd_archive_missed_lines", "Lines overwritten before they were archived.",
                   t->missed);
    metric_counter(m, "fftd_archive_rows", "Rows of all tiers written to the archive.", t->rows);
    metric_counter(m, "fftd_archive_lost_rows", "Rows lost to a full or failing disk.",
                   t->lost_rows);
    metric_gauge(m, "fftd_archive_bytes", "Bytes of all segments of the archive.",
                 (double)t->bytes);
    metric_gauge(m, "fftd_archive_failing", "1 while rows are being lost.", t->failure[0] != 0);
}

static void write_triggers(const struct metric_writer *m, const struct triggers_state *t)
{
    metric_gauge(m, "fftd_triggers", "Triggers set up.", t->triggers);
    metric_counter(m, "fftd_events", "Events of all triggers.", t->events);
    metric_counter(m, "fftd_trigger_missed_lines", "Lines overwritten before they were decided.",
                   t->missed);
    metric_counter(m, "fftd_trigger_frames", "Frames that were computed again.", t->frames);
    metric_counter(m, "fftd_trigger_inexact_lines", "Lines whose samples were gone.",
                   t->without_iq);
}

static void write_event_log(const struct metric_writer *m, const struct event_log_state *l)
{
    if (!l->on)
        return;
    metric_counter(m, "fftd_events_stored", "Events of this run in the database.", l->stored);
    metric_counter(m, "fftd_event_store_errors", "Transactions of the database that failed.",
                   l->errors);
}

static void write_webhooks(const struct metric_writer *m, const struct webhooks_state *w)
{
    if (!w->on)
        return;
    metric_counter(m, "fftd_webhooks_delivered", "Events that webhooks delivered.", w->delivered);
    metric_counter(m, "fftd_webhook_failures", "Tries of webhooks that failed.", w->failed);
    metric_counter(m, "fftd_webhooks_dropped", "Events that webhooks did not deliver.", w->dropped);
    metric_gauge(m, "fftd_webhooks_waiting", "Events that webhooks have yet to deliver.",
                 w->waiting);
}

static void write_nats(const struct metric_writer *m, const struct nats_state *n)
{
    if (!n->on)
        return;
    metric_gauge(m, "fftd_nats_connected", "1 while the link to the broker is up.", n->connected);
    metric_counter(m, "fftd_nats_links", "Times that the link came up.", n->links);
    metric_counter(m, "fftd_nats_messages", "Messages sent, with those sent again.", n->messages);
    metric_counter(m, "fftd_nats_bytes", "Their bytes.", n->bytes);
    metric_counter(m, "fftd_nats_again", "Messages sent again after a loss of the link.", n->again);
    metric_counter(m, "fftd_nats_lines", "Lines in published frames.", n->lines);
    metric_counter(m, "fftd_nats_folded_lines", "Of them, lines folded into others.", n->folded);
    metric_counter(m, "fftd_nats_missed_lines", "Lines overwritten before they were folded.",
                   n->missed);
    metric_counter(m, "fftd_nats_dropped_lines", "Lines in frames that had no room.",
                   n->dropped_lines);
    metric_counter(m, "fftd_nats_dropped_events", "Events that had no room.", n->dropped_events);
    metric_gauge(m, "fftd_nats_waiting", "Messages that the broker has not confirmed.",
                 (double)n->waiting);
}

static void write_parts(const struct metric_writer *m, const struct status *s)
{
    write_recordings(m, &s->record);
    write_channels(m, &s->channels);
    write_audio(m, &s->audio);
    write_rtl_tcp(m, &s->rtl_tcp);
    write_iq_history(m, &s->record);
    write_archive(m, &s->archive);
    write_triggers(m, &s->triggers);
    write_event_log(m, &s->event_log);
    write_webhooks(m, &s->webhooks);
    write_nats(m, &s->nats);
}

char *metrics_text(const struct status *s, const struct server_counts *counts,
                   const struct measure_snapshot *measured, enum metrics_format format,
                   size_t *size)
{
    struct metric_writer m;
    metrics_open(&m, format);
    if (!m.f)
        return NULL;
    write_infos(&m, s);
    write_samples(&m, s);
    write_figures(&m, s);
    write_beats(&m, s);
    write_outputs(&m, s);
    write_measures(&m, s, measured);
    write_parts(&m, s);
    write_clients(&m, counts);
    return metrics_close(&m, size);
}
