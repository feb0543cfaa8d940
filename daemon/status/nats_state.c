/* nats_state.c - the figures of a sensor's messages. */
#include "daemon/status/nats_state.h"

const struct figure nats_figures[] = {
    FIGURE_KEY(struct nats_state, subject, "subject"),
    FIGURE_GAUGE(struct nats_state, outbox.up, "connected", "fftd_nats_connected",
                 "1 while the link to the broker is up."),
    FIGURE_COUNTER(struct nats_state, outbox.links, "links", "fftd_nats_links",
                   "Times that the link came up."),
    FIGURE_COUNTER(struct nats_state, outbox.messages, "messages", "fftd_nats_messages",
                   "Messages sent, with those sent again."),
    FIGURE_COUNTER(struct nats_state, outbox.bytes, "bytes", "fftd_nats_bytes", "Their bytes."),
    FIGURE_COUNTER(struct nats_state, outbox.again, "again", "fftd_nats_again",
                   "Messages sent again after a loss of the link."),
    FIGURE_COUNTER(struct nats_state, lines, "lines", "fftd_nats_lines",
                   "Lines in published frames."),
    FIGURE_COUNTER(struct nats_state, folded, "folded", "fftd_nats_folded_lines",
                   "Of them, lines folded into others."),
    FIGURE_COUNTER(struct nats_state, missed, "missed", "fftd_nats_missed_lines",
                   "Lines overwritten before they were folded."),
    FIGURE_COUNTER(struct nats_state, dropped_lines, "dropped_lines", "fftd_nats_dropped_lines",
                   "Lines in frames that had no room."),
    FIGURE_COUNTER(struct nats_state, outbox.dropped_events, "dropped_events",
                   "fftd_nats_dropped_events", "Events that had no room."),
    FIGURE_GAUGE(struct nats_state, outbox.waiting, "waiting", "fftd_nats_waiting",
                 "Messages that the broker has not confirmed."),
    FIGURE_END,
};
