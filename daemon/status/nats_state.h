/* nats_state.h - counts of a sensor's messages, for the status. Plain values. */
#ifndef FFTD_DAEMON_STATUS_NATS_STATE_H
#define FFTD_DAEMON_STATUS_NATS_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/figure/figure.h"

/* Of the messages on their way to the broker (sensor/outbox.h). */
struct outbox_state {
    bool up;
    uint64_t links;           /* times that the link came up */
    int64_t lost_ns, back_ns; /* Unix times: the link was last lost, came up; 0: never */
    uint64_t messages, bytes; /* sent, with those sent again */
    uint64_t again;           /* messages sent again */
    uint64_t dropped_events;  /* without room */
    size_t waiting;           /* messages not confirmed */
};

struct nats_state {
    bool on;
    char subject[200];              /* PREFIX.SITE.RADIO */
    uint64_t lines, folded, missed; /* in frames; of them folded into others; passed by the ring */
    uint64_t dropped_lines;         /* in frames that had no room */
    struct outbox_state outbox;
};
extern const struct figure nats_figures[]; /* of the JSON and the metrics */

#endif
