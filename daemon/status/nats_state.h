/* nats_state.h - counts of a sensor's messages, for the status. Plain values. */
#ifndef FFTD_DAEMON_STATUS_NATS_STATE_H
#define FFTD_DAEMON_STATUS_NATS_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/figure/figure.h"

struct nats_state {
    bool on, connected;
    char subject[200];              /* PREFIX.SITE.RADIO */
    uint64_t links;                 /* times that the link came up */
    uint64_t messages, bytes;       /* sent, without what NATS adds, with those sent again */
    uint64_t again;                 /* messages sent again after a loss of the link */
    uint64_t lines, folded, missed; /* in frames; of them folded into others; passed by the ring */
    uint64_t dropped_lines;         /* in frames that had no room */
    uint64_t dropped_events;        /* the same of events */
    uint64_t waiting;               /* messages that the broker has not confirmed */
};
extern const struct figure nats_figures[]; /* of the JSON and the metrics */

#endif
