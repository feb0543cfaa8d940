/* metrics_parts.c - the metrics of parts that not every run has: recordings, archive, triggers,
 * NATS. */
#include "daemon/status/metrics_parts.h"

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

void metrics_write_parts(const struct metric_writer *m, const struct status *s)
{
    write_recordings(m, &s->record);
    write_iq_history(m, &s->record);
    write_archive(m, &s->archive);
    write_triggers(m, &s->triggers);
    write_event_log(m, &s->event_log);
    write_webhooks(m, &s->webhooks);
    write_nats(m, &s->nats);
}
