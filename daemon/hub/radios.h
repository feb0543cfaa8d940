/*
 * radios.h - the radios that a hub has heard of, from the messages of their sensors. Loop thread.
 *
 * A radio enters with its first message and stays when it is gone; one that is gone longest leaves
 * where a new one has no place. Messages that are none are counted by cause and dropped.
 */
#ifndef FFTD_DAEMON_HUB_RADIOS_H
#define FFTD_DAEMON_HUB_RADIOS_H

#include <jansson.h>

#include "daemon/hub/copies/copy_state.h"
#include "daemon/hub/frame_log.h"
#include "daemon/nats/message.h"

enum { RADIOS_MAX = 1000, RADIO_SILENT = 3 /* intervals without an announcement */ };

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
const char *radio_state_name(enum radio_state state);

struct radio {
    uint32_t id; /* never that of another radio */
    char site[HUB_WORD], name[HUB_WORD];
    enum radio_state state;
    int64_t gone_since_ns; /* Unix time, if it is gone */
    int64_t heard_ns;      /* Unix time of the newest announcement, or of the first message */
    int64_t interval_ns;   /* of announcements */
    json_t *announce;      /* the newest; NULL: none yet */
    json_t *ledger, *status, *link; /* the newest of each; NULL: none yet */

    /* the account of its lines: docs/many-radios.md */
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
    uint64_t events, garbage, runs;
    int64_t last_line_ns; /* Unix time when the newest frame came; 0: none did */
    double skew_ms;       /* then, less the time at its host when it was made */
    struct frame_log log;
    uint64_t told;       /* its frames before this one were told to its viewers: of the reader */
    uint32_t copy_place; /* in the collector's table; 0: none */
    struct copy_state archive; /* what the hub has of its archive */
};

struct radios {
    const char *prefix;            /* of the subjects; outlives the table */
    struct radio *all[RADIOS_MAX]; /* [used]; NULL: left */
    uint32_t used, count;
    uint32_t generation[RADIOS_MAX]; /* radios that had this place before */
    uint64_t messages, bytes;
    uint64_t faults[HUB_FAULTS];
    uint64_t log_bytes; /* of the logs of all radios */
    struct copy_totals archives;
    bool changed; /* a radio is new or has another state; the reader clears it */
};

void radios_init(struct radios *r, const char *prefix);
void radios_finish(struct radios *r);
/* time_ns: Unix time when it came. The data is copied. */
void radios_take(struct radios *r, const char *subject, const void *data, size_t size,
                 int64_t time_ns);
/* Radios that are silent for too long are gone from now on. */
/* Seconds since its newest announcement. */
long long radio_silence_s(const struct radio *radio, int64_t now_ns);
void radios_check_silence(struct radios *r, int64_t now_ns);
uint32_t radios_place(uint32_t id); /* of this radio: less than RADIOS_MAX */
struct radio *radios_find(const struct radios *r, uint32_t id); /* NULL: there is none */
struct radio *radios_find_name(const struct radios *r, const char *site, const char *name);
uint32_t radios_in_state(const struct radios *r, enum radio_state state);

#endif
