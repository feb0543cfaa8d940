/*
 * supervisor.h - starts the source thread, watches it, and replaces it when it is stuck.
 *
 * The source thread keeps a device open and its samples flowing into the ring. A device fault never
 * ends it: it reopens a live source with back-off. A thread that is stuck inside its driver is
 * abandoned together with its device and its ring. The loop thread calls the functions below.
 */
#ifndef FFTD_DAEMON_SOURCE_SUPERVISOR_H
#define FFTD_DAEMON_SOURCE_SUPERVISOR_H

#include "daemon/source/supervisor_config.h"
#include "daemon/stream/epoch/exchange.h"

struct supervisor;

int supervisor_start(struct supervisor **out, const struct supervisor_config *config);
/* Ends the source thread and joins it. True: stuck threads still run. */
bool supervisor_stop(struct supervisor *r);
void supervisor_destroy(struct supervisor *r); /* NULL is fine */

/*
 * Abandons a source thread that made no step for 5 s, if its samples come in real time. False: the
 * device is given up (watch.h).
 */
bool supervisor_tick(struct supervisor *r);
void supervisor_apply(struct supervisor *r, const struct settings *settings);
void supervisor_replay(struct supervisor *r, const struct replay_request *replay);
void supervisor_status(struct supervisor *r, struct source_status *out);

/* The dsp thread takes epochs from it. It lives as long as the supervisor. */
struct exchange *supervisor_exchange(struct supervisor *r);

#endif
