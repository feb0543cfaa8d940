/*
 * exchange.h - passes data between the loop, source and dsp threads.
 *
 *     loop   -> source, dsp   the requested settings: the last request wins
 *     loop   -> source        the requested replay of a recording: the same
 *     source -> dsp           a queue of epochs
 *     source -> loop          the state of the source, its stream and counters
 *
 * Every thread has a reference: a source thread abandoned inside a driver may return at any time,
 * even after its supervisor has ended. Any thread; the lock is internal and held for short copies.
 */
#ifndef FFTD_DAEMON_STREAM_EPOCH_EXCHANGE_H
#define FFTD_DAEMON_STREAM_EPOCH_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/figure/figure.h"
#include "daemon/stream/epoch/epoch.h"
#include "daemon/stream/radio_options.h"
#include "daemon/stream/replay.h"
#include "daemon/stream/settings.h"
#include "daemon/stream/source_state.h"

enum { EXCHANGE_BACKLOG = 2 }; /* epochs: with this many in the queue, no device is reopened */

enum source_count {
    COUNT_TIMEOUTS,  /* reads of the device that returned nothing in time */
    COUNT_REOPENED,  /* times that the device was reopened */
    COUNT_ABANDONED, /* stuck source threads that were abandoned */
    COUNT_CLOCK,     /* corrections of the samples' time */
    SOURCE_COUNTS
};

struct source_counts {
    uint64_t of[SOURCE_COUNTS];
};
extern const struct figure source_figures[]; /* of the JSON and the metrics */

struct source_status {
    enum source_state state;
    char message[256];    /* why it waits or failed, or what is wrong while it runs; "" */
    struct stream stream; /* the newest; tuning and gain as the device reported last */
    bool opened;          /* there was an epoch */
    struct source_counts counts;
    struct replay_state replay;
    uint64_t beat_age_ns; /* set by supervisor_status; 0: no thread */
};

struct exchange;

int exchange_create(struct exchange **out, const struct settings *settings); /* -ENOMEM */
struct exchange *exchange_ref(struct exchange *x);
void exchange_unref(struct exchange *x); /* NULL is fine */

/* ---- the source's side ---- */

/* message printf-style. Logs a change of state or message once. */
void exchange_set_state(struct exchange *x, enum source_state state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void exchange_set_stream(struct exchange *x, const struct stream *stream);
/* What the open radio can be set to; NULL: no radio. */
void exchange_set_radio(struct exchange *x, struct radio_options *radio);
void exchange_set_replay(struct exchange *x, const struct replay_state *replay);
void exchange_count(struct exchange *x, enum source_count count);
uint32_t exchange_number_epoch(struct exchange *x); /* 0, 1, 2, ... */
/* Queues an epoch. The dsp thread takes over one reference. */
void exchange_push_epoch(struct exchange *x, struct epoch *e);
/* Epochs that the dsp thread has not taken yet. Each owns a ring. */
uint32_t exchange_backlog(struct exchange *x);
void exchange_end(struct exchange *x); /* no epoch will follow */

/* ---- the dsp thread's side ---- */

/* The oldest epoch, or NULL after timeout_ms. *ended: the queue is empty for good. */
struct epoch *exchange_take_epoch(struct exchange *x, int timeout_ms, bool *ended);
/*
 * The dsp thread has its first plan. Until then a radio's samples would only fill the ring: 4M
 * points take a second to plan.
 */
void exchange_set_planned(struct exchange *x);
bool exchange_wait_planned(struct exchange *x, int timeout_ms); /* the source's call */

/* ---- requests and status ---- */

void exchange_request(struct exchange *x, const struct settings *settings);
/* Copies the request. True if it is newer than *version, which is updated. */
bool exchange_requested(struct exchange *x, uint64_t *version, struct settings *settings);
/*
 * The dsp thread can make a plan for the request of this version without a loss, also if it needs
 * a larger ring: from then on the source may begin an epoch for it. Without a dsp thread every
 * request is prepared.
 */
void exchange_set_prepared(struct exchange *x, uint64_t version);
bool exchange_is_prepared(struct exchange *x, uint64_t version);
/* The same for the replay of a recording; its version starts at 0, without a request. */
void exchange_request_replay(struct exchange *x, const struct replay_request *replay);
bool exchange_replay_requested(struct exchange *x, uint64_t *version, struct replay_request *out);
struct radio_options *exchange_radio(struct exchange *x); /* a reference; NULL: none */
void exchange_status(struct exchange *x, struct source_status *out);

#endif
