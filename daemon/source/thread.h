/*
 * thread.h - the source thread: opens one device, reads it into the ring, and reopens it.
 *
 * The supervisor and the thread itself hold it. An abandoned thread frees everything when its
 * driver returns, if it ever does.
 */
#ifndef FFTD_DAEMON_SOURCE_THREAD_H
#define FFTD_DAEMON_SOURCE_THREAD_H

#include <stdatomic.h>
#include <uv.h>

#include "daemon/source/retry.h"
#include "daemon/source/sample_clock.h"
#include "daemon/source/source.h"
#include "daemon/source/supervisor.h"
#include "daemon/stream/exchange.h"

struct source_thread {
    atomic_uint holders;
    uv_thread_t thread;
    struct exchange *exchange;
    atomic_bool stop;             /* set by the loop thread: end */
    atomic_bool abandoned;        /* set by the loop thread: touch nothing shared any more */
    _Atomic uint64_t beat_ns;     /* clock_now_ns at the last step */
    _Atomic uint64_t patience_ns; /* the thread is stuck when its beat is older */

    uv_mutex_t lock;
    struct epoch *epoch; /* the current one; written under lock by the source thread */

    /* the source thread's */
    struct supervisor_config config; /* source.tuning follows the requested settings */
    struct source *source;
    uint32_t block;
    uint64_t request_version;
    struct retry retry; /* since the last sample */
    uint64_t lost_ns;   /* clock_now_ns when the device was lost; 0: it was not */
    enum loss lost_cause;
    uint64_t last_samples_ns;
    bool stalled;
    uint64_t delivered; /* samples since the source opened, including known losses */
    struct sample_clock clock;
};

/* lost_ns: clock_now_ns of the last step of an abandoned predecessor; 0: there was none. */
int source_thread_start(struct source_thread **out, const struct supervisor_config *config,
                        struct exchange *exchange, uint64_t lost_ns);
void source_thread_drop(struct source_thread *t);
/*
 * thread_clock.c, after each read: after a step of the host's clock, or a drift of the radio's, the
 * next sample gets a new time. The samples go on: no frame is cut and none is lost. A radio with a
 * clock of its own keeps it.
 */
void source_thread_check_clock(struct source_thread *t);
/* Closes the ring, so that the dsp thread moves on, and detaches the thread. */
void source_thread_abandon(struct source_thread *t);

#endif
