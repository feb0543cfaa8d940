/*
 * thread.h - one thread that owns one device: open, read into the ring, reopen.
 *
 * Held by the receiver and by the thread itself; an abandoned one cleans up alone if its driver
 * ever lets go of it.
 */
#ifndef FFTD_DAEMON_SOURCE_THREAD_H
#define FFTD_DAEMON_SOURCE_THREAD_H

#include <stdatomic.h>
#include <uv.h>

#include "daemon/source/source.h"
#include "daemon/source/supervisor.h"
#include "daemon/stream/exchange.h"

struct source_thread {
    atomic_uint holders;
    uv_thread_t thread;
    struct exchange *exchange;
    atomic_bool stop;             /* the loop thread says: end */
    atomic_bool abandoned;        /* and: touch nothing shared any more */
    _Atomic uint64_t beat_ns;     /* uv_hrtime of the last step */
    _Atomic uint64_t patience_ns; /* how old a beat may get before the thread counts as stuck */
    struct epoch *epoch;          /* its current one; under the exchange's lock */

    /* the source thread's */
    struct supervisor_config config; /* source.tuning follows what is wanted */
    struct source *source;
    uint32_t block;
    uint64_t request_version;
    uint32_t n;
    uint32_t failures; /* opens since the last sample */
    uint64_t retry_ns; /* uv_hrtime of the next try */
    uint64_t lost_ns;  /* uv_hrtime when the device went away; 0: it did not */
    enum loss lost_cause;
    uint64_t last_samples_ns;
    bool stalled;
    uint64_t delivered; /* samples since the source opened, known lost ones included */
    int64_t clock_ns;   /* Unix time of sample number clock_sample */
    uint64_t clock_sample;
};

/* lost_ns: uv_hrtime since when a thread before this one delivered nothing; 0: it is the first. */
int source_thread_start(struct source_thread **out, const struct supervisor_config *config,
                        struct exchange *exchange, uint64_t lost_ns);
void source_thread_drop(struct source_thread *t);
/* Closes its ring for the dsp thread and leaves it to itself. */
void source_thread_abandon(struct source_thread *t);

#endif
