/*
 * event_allowance.h - the limit of the bytes per hour of recordings of events. Unused bytes are
 * kept for an hour at most. Its time is that of the events, so that a replay of the same samples
 * records the same events. Plain values; the caller has the lock.
 */
#ifndef FFTD_DAEMON_RECORD_RECORDER_EVENT_ALLOWANCE_H
#define FFTD_DAEMON_RECORD_RECORDER_EVENT_ALLOWANCE_H

#include <stdint.h>

struct event_allowance {
    double used;   /* bytes of the last hour, as far as they have not been forgotten */
    int64_t at_ns; /* Unix time that this is of */
    /* since the last line of the log */
    uint64_t recorded, bytes, refused;
};

/*
 * Takes at most `wanted` bytes at a time, of `per_hour` (0: no limit). Returns how many it may
 * have: fewer than `least` are none.
 */
uint64_t event_allowance_take(struct event_allowance *a, uint64_t per_hour, int64_t time_ns,
                              uint64_t wanted, uint64_t least);
void event_allowance_give_back(struct event_allowance *a, uint64_t bytes);
/* A line of what was recorded, and one of what was refused, if there was anything. */
void event_allowance_log(const struct event_allowance *a, uint64_t per_hour);

#endif
