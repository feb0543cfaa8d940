/*
 * supervisor.h - the source thread: keeps a device open and its samples flowing into the ring.
 *
 * Device trouble never ends it: a live source is reopened with back-off, and one that is stuck
 * inside its driver is abandoned with its thread, its device and its ring. The functions below are
 * called from the loop thread.
 */
#ifndef FFTD_DAEMON_SOURCE_SUPERVISOR_H
#define FFTD_DAEMON_SOURCE_SUPERVISOR_H

#include "daemon/source/source.h"
#include "daemon/stream/exchange.h"
#include "daemon/stream/settings.h"

enum { SUPERVISOR_MAX_ABANDONED = 3 };

struct supervisor_config {
    const struct source_ops *ops;
    struct source_config source; /* strings outlive the receiver */
    struct settings settings;
    uint64_t ring_bytes;
    bool lossless;
};

struct supervisor;

int supervisor_start(struct supervisor **out, const struct supervisor_config *config);
/* Ends the source thread and joins it; true if stuck threads were left behind. */
bool supervisor_stop(struct supervisor *r);
void supervisor_destroy(struct supervisor *r); /* NULL is fine */

/* Abandons a source thread that made no step for 5 s. False: three were, it is over. */
bool supervisor_tick(struct supervisor *r);
void supervisor_apply(struct supervisor *r, const struct settings *settings);

struct supervisor_report {
    enum source_state state;
    char message[256];
    struct stream stream; /* the newest; tuning and gain as the device reported last */
    bool opened;          /* there was an epoch */
    uint64_t timeouts, reopened, abandoned;
    uint64_t beat_age_ns; /* since the source thread's last step */
};
void supervisor_report(struct supervisor *r, struct supervisor_report *out);

/* Where the dsp thread finds epochs; lives as long as the receiver. */
struct exchange *supervisor_exchange(struct supervisor *r);

#endif
