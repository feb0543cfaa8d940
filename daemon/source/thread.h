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
#include "daemon/source/sample_rate.h"
#include "daemon/source/source.h"
#include "daemon/source/supervisor_config.h"
#include "daemon/stream/epoch/exchange.h"
#include "daemon/stream/sweep.h"

struct reason;

/* The sweep that the source makes; plan.dwells 0: none. */
struct source_sweep {
    struct sweep_plan plan;
    uint32_t dwell;
    uint64_t left; /* samples of this dwell still to be read */
    bool live;     /* requested while running: a failure does not end the daemon */
};

struct source_thread {
    atomic_uint refs;
    uv_thread_t thread;
    struct exchange *exchange;
    atomic_bool stop;             /* set by the loop thread: end */
    atomic_bool abandoned;        /* set by the loop thread: touch nothing shared any more */
    atomic_bool ended;            /* set by the thread: its source is closed, memory is left */
    _Atomic uint64_t beat_ns;     /* clock_now_ns at the last step */
    _Atomic uint64_t patience_ns; /* the thread is stuck when its beat is older */

    uv_mutex_t lock;
    struct epoch *epoch; /* the current one; written under lock by the source thread */

    /* the source thread's */
    struct supervisor_config config; /* source.tuning follows the requested settings */
    struct source *source;
    uint32_t block;
    uint64_t request_version, replay_version;
    bool awaits_plan;   /* the requested frames need a larger ring, once their plan is made */
    struct retry retry; /* since the last sample */
    uint64_t lost_ns;   /* clock_now_ns when the device was lost; 0: it was not */
    enum loss lost_cause;
    uint64_t last_samples_ns;
    bool stalled;
    char warning[256];  /* the source's, as it was published */
    uint64_t delivered; /* samples since the source opened, including known losses */
    struct sample_clock clock;
    struct sample_rate rate;
    struct source_sweep sweep;
};

/* lost_ns: clock_now_ns of the last step of an abandoned predecessor; 0: there was none. */
int source_thread_start(struct source_thread **out, const struct supervisor_config *config,
                        struct exchange *exchange, uint64_t lost_ns);
void source_thread_unref(struct source_thread *t);

/* ---- parts of the thread, which it alone calls ---- */

void source_thread_set_running(struct source_thread *t); /* the state, with the source's warning */
uint32_t source_thread_fft_size(const struct source_thread *t); /* as requested, at this rate */
void source_thread_forward_mark(struct source_thread *t); /* copies the source's into the ring */
int source_thread_new_epoch(struct source_thread *t, struct reason *why);
void source_thread_set_block(struct source_thread *t); /* for the requested frames */
void source_thread_close(struct source_thread *t);     /* closes the source */
/*
 * thread_tune.c. The first one reads a new request before the source is opened: it may replace the
 * tuning that the device refused, which is then tried at once. The second one applies a new request
 * to the open source, and may close it; frames that need a larger ring wait for their plan
 * (exchange_is_prepared). -errno: no further epoch is possible.
 */
void source_thread_read_request(struct source_thread *t);
int source_thread_apply_request(struct source_thread *t);
/*
 * thread_sweep.c. start: plans the sweep of the settings, if there is one, and tunes the source
 * that was just opened to its first dwell; the last one is tried too. -errno with one line in
 * *why. follow: after a request, which may start it again. The centre of *want becomes that of a
 * dwell. next_dwell: retunes at the end of a dwell. -EINVAL: the daemon ends, the reason is set;
 * other -errno: the device failed. read_samples: of the next read. count_dwell: after a read.
 */
int source_thread_start_sweep(struct source_thread *t, struct reason *why);
void source_thread_follow_sweep(struct source_thread *t, struct tuning *want);
int source_thread_next_dwell(struct source_thread *t);
uint32_t source_thread_read_samples(const struct source_thread *t);
void source_thread_count_dwell(struct source_thread *t, uint64_t samples);
/*
 * thread_replay.c, for recordings. apply: a new request, to the open source. publish: the state.
 * start_epoch: the stream of a new epoch gets the anchor of its first sample. begin: after that.
 */
void source_thread_apply_replay(struct source_thread *t);
void source_thread_publish_replay(struct source_thread *t);
void source_thread_start_epoch_replay(struct source_thread *t, struct stream *stream);
void source_thread_begin_replay(struct source_thread *t);
/*
 * thread_clock.c, after each read: warns of a radio that does not keep its rate. After a step of
 * the host's clock, or a drift of the radio's, the next sample gets a new time. The samples go on:
 * no frame is cut and none is lost. A radio with a clock of its own keeps it.
 */
void source_thread_check_clock(struct source_thread *t);
/* Closes the ring, so that the dsp thread moves on, and detaches the thread. */
void source_thread_abandon(struct source_thread *t);

#endif
