/*
 * exchange.h - what the loop, source and dsp threads tell each other about the source.
 *
 * It outlives its receiver: a source thread that was abandoned inside a driver may come back at any
 * time, so everybody holds a reference. Any thread; short locks only.
 */
#ifndef FFTD_DAEMON_STREAM_EXCHANGE_H
#define FFTD_DAEMON_STREAM_EXCHANGE_H

#include <stdatomic.h>
#include <uv.h>

#include "daemon/stream/epoch.h"
#include "daemon/stream/settings.h"
#include "daemon/stream/source_state.h"

enum { EXCHANGE_BACKLOG = 2 }; /* epochs: with so many waiting, no device is opened again */

struct exchange {
    atomic_uint holders;
    uv_mutex_t lock;
    uv_cond_t changed;
    /* under lock */
    struct settings requested;
    uint64_t request_version;
    enum source_state state;
    char message[256];
    struct stream stream;
    struct epoch *first; /* queue for the dsp thread, oldest first */
    uint32_t epochs;     /* numbers given out so far */
    bool opened;         /* an epoch was queued */
    uint64_t timeouts, reopened, abandoned;
    bool ended; /* no epoch will follow */
};

int exchange_create(struct exchange **out, const struct settings *settings);
struct exchange *exchange_hold(struct exchange *x);
void exchange_drop(struct exchange *x);

/* message printf-style; a change is logged, once. */
void exchange_say(struct exchange *x, enum source_state state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Queues an epoch for the dsp thread, which takes over one hold. */
void exchange_push_epoch(struct exchange *x, struct epoch *e);
/* Epochs that the dsp thread has not taken yet: each is a ring of its own. */
uint32_t exchange_backlog(struct exchange *x);
struct epoch *exchange_take_epoch(struct exchange *x, int timeout_ms, bool *ended);
void exchange_end(struct exchange *x);

void exchange_request(struct exchange *x, const struct settings *settings);
/* True and *settings when it changed since *version, which is updated. */
bool exchange_requested(struct exchange *x, uint64_t *version, struct settings *settings);

#endif
