/*
 * radios.h - the radios that a hub has heard of, from the messages of their sensors. Loop thread.
 *
 * A radio enters with its first message and stays when it is gone; one that is gone longest leaves
 * where a new one has no place. Malformed messages are counted by cause and dropped.
 */
#ifndef FFTD_DAEMON_HUB_RADIOS_H
#define FFTD_DAEMON_HUB_RADIOS_H

#include "daemon/hub/copy_state.h"
#include "daemon/hub/radio.h"
#include "daemon/nats/message.h"

enum { RADIOS_MAX = 1000, RADIO_SILENT = 3 /* intervals without an announcement */ };

const char *radio_state_name(enum radio_state state);

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
struct radio *radios_find(const struct radios *r, uint32_t id); /* NULL: none */
struct radio *radios_find_name(const struct radios *r, const char *site, const char *name);
uint32_t radios_in_state(const struct radios *r, enum radio_state state);

#endif
