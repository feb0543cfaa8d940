/* radio.h - the state of one radio at a hub. Loop thread. */
#ifndef FFTD_DAEMON_HUB_RADIO_H
#define FFTD_DAEMON_HUB_RADIO_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "daemon/hub/copy_state.h"
#include "daemon/hub/frame_log.h"
#include "daemon/nats/message.h"

enum radio_state {
    RADIO_WAITING, /* for its first announcement, or as announced: it has no device */
    RADIO_STARTING,
    RADIO_RUNNING,
    RADIO_STALLED,
    RADIO_ENDED,
    RADIO_FAILED,
    RADIO_GONE,
    RADIO_STATES
};

struct radio {
    uint32_t id; /* never that of another radio */
    char site[HUB_WORD], name[HUB_WORD];
    enum radio_state state;
    int64_t gone_since_ns; /* Unix time, if it is gone */
    int64_t heard_ns;      /* Unix time of the newest announcement, or of the first message */
    int64_t interval_ns;   /* of announcements */
    json_t *announce;      /* the newest; NULL: none yet */
    json_t *ledger, *status, *link; /* the newest of each; NULL: none yet */

    /* the account of its lines: docs/sensor-messages.md */
    bool has_run, has_line, has_base;
    uint32_t run, base;
    uint64_t base_line, newest;
    uint64_t before;    /* lines of its first run before the first frame that came */
    uint64_t lines;     /* that came, with those folded into others */
    uint64_t missing;   /* that are in no frame */
    uint64_t frames;    /* that came */
    uint64_t again;     /* frames that came twice */
    uint64_t undecoded; /* frames whose base did not come; their lines count as missing */
    uint64_t bytes;     /* of all messages */
    uint64_t events, malformed, runs;
    int64_t last_line_ns; /* Unix time when the newest frame came; 0: none did */
    double skew_ms;       /* then, less the time at its host when it was made */
    struct frame_log log;
    uint64_t sent; /* its frames before this one were announced to its viewers: of the reader */
    uint32_t copy_place;       /* in the collector's table; 0: none */
    struct copy_state archive; /* what the hub has of its archive */
};

#endif
