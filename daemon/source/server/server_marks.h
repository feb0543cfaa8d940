/*
 * server_marks.h - the tuning of a networked radio, and what lies before its next samples.
 *
 * A server does not say which samples are the first after a command: queued samples and those of
 * the next 0.2 s (buffers of the driver and of the server, and the network's delay) are discarded.
 * Plain state, source thread.
 */
#ifndef FFTD_DAEMON_SOURCE_SERVER_SERVER_MARKS_H
#define FFTD_DAEMON_SOURCE_SERVER_SERVER_MARKS_H

#include <stdint.h>

#include "daemon/source/source.h"

struct server_marks {
    struct source_mark pending; /* for the next samples */
    uint64_t discard;           /* samples */
};

/* The frequency that the server is to set. It takes whole hertz. */
double server_marks_radio_hz(const struct tuning *t);
/* *want with what it does not give as in `had`. -EAGAIN: another rate, which needs a new stream. */
int server_marks_complete(const struct tuning *want, const struct tuning *had, struct tuning *out);

/* After commands. cause: LOSS_RETUNE, or LOSS_CAUSES at the start. */
void server_marks_settle(struct server_marks *m, const struct source *s, uint64_t queued_bytes,
                         enum loss cause);
/* How many of these samples to read at once: no more than are to be discarded. */
uint32_t server_marks_limit(const struct server_marks *m, uint32_t samples);
/* Accounts for samples that were read, and sets s->mark. Returns 0 if they are discarded. */
int64_t server_marks_arrived(struct server_marks *m, struct source *s, uint32_t samples);

#endif
