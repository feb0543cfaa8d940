/* thread.c - the life of one device: opening, reading, tuning, faults. */
#include "daemon/source/thread.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"

enum { READ_TIMEOUT_MS = 100, BUSY_TRIES = 3 };
static const uint64_t stalled_ns = 2000000000, gone_ns = 5000000000;
/* A driver may load firmware while it opens. */
static const uint64_t step_patience_ns = 5000000000, open_patience_ns = 20000000000;

static void beat(struct source_thread *t)
{
    atomic_store(&t->beat_ns, clock_now_ns());
}

static void sleep_half_a_read(void)
{
    nanosleep(&(struct timespec){.tv_nsec = READ_TIMEOUT_MS * 500000L}, NULL);
}

/* ---- time ------------------------------------------------------------------------------- */

static void set_clock(struct source_thread *t, int64_t time_ns)
{
    sample_clock_set(&t->clock, time_ns, t->delivered);
}

/* Time of the next sample: the last time that the source reported, plus the samples since. */
static int64_t clock_now(const struct source_thread *t)
{
    return sample_clock_at(&t->clock, t->delivered, t->source->stream.tuning.rate_hz);
}

/* ---- state ------------------------------------------------------------------------------ */

void source_thread_set_running(struct source_thread *t)
{
    snprintf(t->warning, sizeof t->warning, "%s", t->source->warning);
    exchange_set_state(t->exchange, SOURCE_RUNNING, "%s", t->warning);
}

static void publish_warning(struct source_thread *t)
{
    if (strcmp(t->warning, t->source->warning) != 0)
        source_thread_set_running(t);
}

/* ---- epochs ----------------------------------------------------------------------------- */

uint32_t source_thread_fft_size(const struct source_thread *t)
{
    return settings_fft_size(&t->config.settings, t->source->stream.tuning.rate_hz);
}

static void set_epoch(struct source_thread *t, struct epoch *e)
{
    uv_mutex_lock(&t->lock);
    struct epoch *old = t->epoch;
    t->epoch = e;
    uv_mutex_unlock(&t->lock);
    if (e)
        exchange_set_stream(t->exchange, &e->stream);
    if (old)
        iq_ring_close(old->ring);
    epoch_unref(old);
}

void source_thread_set_block(struct source_thread *t)
{
    if (t->epoch)
        t->block = epoch_block(&t->epoch->stream, iq_ring_capacity(t->epoch->ring),
                               source_thread_fft_size(t));
}

int source_thread_new_epoch(struct source_thread *t, struct reason *why)
{
    struct exchange *x = t->exchange;
    const struct epoch_config config = {.number = exchange_number_epoch(x),
                                        .n = source_thread_fft_size(t),
                                        .ring_bytes = t->config.ring_bytes,
                                        .settings = &t->config.settings,
                                        .lossless = t->config.lossless};
    struct epoch *e = NULL;
    struct stream stream = t->source->stream;
    stream.start_ns = clock_now(t);
    source_thread_start_epoch_replay(t, &stream);
    const uint64_t patience_ns = atomic_exchange(&t->patience_ns, open_patience_ns);
    const int err = epoch_create(&e, &stream, &config, why);
    beat(t); /* a ring of gigabytes took its time */
    atomic_store(&t->patience_ns, patience_ns);
    if (err < 0)
        return err;
    set_epoch(t, epoch_ref(e));
    source_thread_set_block(t);
    source_thread_begin_replay(t);
    exchange_push_epoch(x, e);
    return 0;
}

/* ---- marks ------------------------------------------------------------------------------ */

/* Copies the mark of the source into the ring. */
void source_thread_forward_mark(struct source_thread *t)
{
    struct source_mark *m = &t->source->mark;
    if (!m->set)
        return;
    struct iq_mark mark = {.tuning_changed = m->tuning_changed,
                           .tuning = t->source->stream.tuning,
                           .gain_db = t->source->stream.gain_db,
                           .has_time = m->has_time,
                           .time_ns = m->time_ns,
                           .anchor = m->anchor};
    if (m->cause < LOSS_CAUSES) {
        mark.events[m->cause] = 1;
        mark.lost[m->cause] = m->lost;
        t->delivered += m->lost;
    }
    if (m->tuning_changed || (m->cause < LOSS_CAUSES && m->lost == 0))
        sample_rate_reset(&t->rate);
    if (m->has_time)
        set_clock(t, m->time_ns);
    iq_ring_mark(t->epoch->ring, &mark);
    if (m->tuning_changed)
        exchange_set_stream(t->exchange, &t->source->stream);
    *m = (struct source_mark){0};
}

/* Counts the samples that the device would have delivered while it was away, by the clock. */
static void mark_absence(struct source_thread *t)
{
    const double seconds = (double)(clock_now_ns() - t->lost_ns) * 1e-9;
    struct iq_mark mark = {.tuning_changed = true,
                           .tuning = t->source->stream.tuning,
                           .gain_db = t->source->stream.gain_db};
    const uint64_t lost = (uint64_t)llround(seconds * t->source->stream.tuning.rate_hz);
    mark.events[t->lost_cause] = 1;
    mark.lost[t->lost_cause] = lost;
    t->delivered += lost;
    iq_ring_mark(t->epoch->ring, &mark);
    t->lost_ns = 0;
}

/* ---- opening ---------------------------------------------------------------------------- */

void source_thread_close(struct source_thread *t)
{
    if (t->source && t->config.ops->live && !t->lost_ns) {
        t->lost_ns = clock_now_ns();
        t->lost_cause = LOSS_GAP;
    }
    source_destroy(t->source);
    t->source = NULL;
}

/* Continues the epoch with the opened stream, or starts a new one. */
static int continue_stream(struct source_thread *t, struct reason *why)
{
    int err = 0;
    if (t->epoch && epoch_suits(t->epoch, &t->source->stream, source_thread_fft_size(t))) {
        exchange_set_stream(t->exchange, &t->source->stream);
    } else {
        /* The epoch includes the samples lost before its first one, so its time starts earlier. */
        const uint64_t absent_ns = t->lost_ns ? clock_now_ns() - t->lost_ns : 0;
        t->delivered = 0;
        sample_rate_reset(&t->rate);
        set_clock(t, t->source->stream.start_ns - (int64_t)absent_ns);
        err = source_thread_new_epoch(t, why);
    }
    if (err == 0 && t->lost_ns)
        mark_absence(t);
    return err;
}

static bool is_final(const struct source_thread *t, int err, bool again)
{
    if (!t->config.ops->live)
        return true;
    if (err == -EBUSY)
        return t->retry.failures >= BUSY_TRIES;
    return !again && (err == -EINVAL || err == -ENOMEM); /* without memory at the start: for good */
}

/* -EAGAIN, or err if the source will not be opened any more. */
static int handle_closed(struct source_thread *t, int err, bool again, const char *error)
{
    const double wait_s = t->config.source.wait_s;
    const bool over = t->config.ops->live && retry_over(&t->retry, wait_s);
    if (over || is_final(t, err, again)) {
        char waited[64] = "";
        if (over)
            snprintf(waited, sizeof waited, "waited %g s for the device: ", wait_s);
        exchange_set_state(t->exchange, SOURCE_FAILED, "%s%s", waited, error);
        return err;
    }
    exchange_set_state(t->exchange, SOURCE_WAITING, "%s", error);
    retry_later(&t->retry, wait_s);
    return -EAGAIN;
}

/* 0: open; -EAGAIN: try again later; any other error is final. */
static int open_source(struct source_thread *t)
{
    source_thread_read_request(t);
    if (clock_now_ns() < t->retry.next_ns || exchange_backlog(t->exchange) >= EXCHANGE_BACKLOG) {
        sleep_half_a_read();
        return -EAGAIN;
    }
    struct reason why = {0};
    const bool again = t->epoch != NULL || t->lost_ns != 0;
    atomic_store(&t->patience_ns, open_patience_ns);
    int err = source_create(&t->source, t->config.ops, &t->config.source, &why);
    beat(t);
    atomic_store(&t->patience_ns, step_patience_ns);
    if (atomic_load(&t->abandoned))
        return -ECANCELED;
    if (err == 0)
        err = source_thread_start_sweep(t, &why);
    if (err == 0) /* what comes back may state a rate that no memory is large enough for */
        err = continue_stream(t, &why);
    if (err < 0) {
        source_destroy(t->source);
        t->source = NULL;
        return handle_closed(t, err, again, why.sentence);
    }
    if (again)
        exchange_count(t->exchange, COUNT_REOPENED);
    t->last_samples_ns = clock_now_ns();
    exchange_set_radio(t->exchange, t->source->radio);
    source_thread_set_running(t);
    log_info("source %s: %s, %s%.10g samples/s at %.10g Hz", t->config.ops->name,
             t->source->stream.about, t->source->stream.rate_assumed ? "assumed " : "",
             t->source->stream.tuning.rate_hz, t->source->stream.tuning.center_hz);
    return 0;
}

/* ---- reading ---------------------------------------------------------------------------- */

static void lose_device(struct source_thread *t, const char *why)
{
    exchange_set_state(t->exchange, SOURCE_WAITING, "%s; opening it again", why);
    source_thread_close(t);
    t->lost_ns = t->last_samples_ns; /* the silence before counts as absence */
    retry_later(&t->retry, t->config.source.wait_s);
}

static void handle_silence(struct source_thread *t)
{
    const uint64_t silent = clock_now_ns() - t->last_samples_ns;
    if (t->source->replay.paused || t->source->replay.ended)
        return;
    exchange_count(t->exchange, COUNT_TIMEOUTS);
    if (!t->config.ops->live || silent < stalled_ns)
        return;
    if (silent > gone_ns)
        lose_device(t, "no sample from the device for 5 s");
    else
        exchange_set_state(t->exchange, SOURCE_STALLED, "no sample from the device for 2 s");
    t->stalled = true;
}

/* 0: samples, or no room; -ETIMEDOUT: none in time; -ENODATA: the end; else the device failed. */
static int read_block(struct source_thread *t)
{
    void *into = iq_ring_write_begin(t->epoch->ring, READ_TIMEOUT_MS);
    if (!into)
        return 0;
    const int64_t got =
        source_read(t->source, into, source_thread_read_samples(t), READ_TIMEOUT_MS);
    if (atomic_load(&t->abandoned))
        return -ECANCELED;
    source_thread_forward_mark(t);
    iq_ring_write_end(t->epoch->ring, got > 0 ? (uint32_t)got : 0);
    source_thread_publish_replay(t);
    if (got > 0) {
        t->last_samples_ns = clock_now_ns();
        t->delivered += (uint64_t)got;
        source_thread_count_dwell(t, (uint64_t)got);
        t->retry = (struct retry){0};
        if (t->stalled)
            source_thread_set_running(t);
        t->stalled = false;
        publish_warning(t);
    }
    return got > 0 ? 0 : got == 0 ? -ETIMEDOUT : (int)got;
}

/* A radio starts its stream at the first read, so nothing is lost meanwhile. */
static bool may_read(struct source_thread *t)
{
    const bool planned =
        !t->config.awaits_first_plan || exchange_wait_planned(t->exchange, READ_TIMEOUT_MS);
    if (!planned)
        t->last_samples_ns = clock_now_ns(); /* the device is not silent */
    return planned;
}

static bool step(struct source_thread *t)
{
    if (!t->source) {
        const int err = open_source(t);
        return err == 0 || err == -EAGAIN;
    }
    if (source_thread_apply_request(t) < 0)
        return false;
    if (!t->source)
        return true;
    source_thread_apply_replay(t);
    if (!may_read(t))
        return true;
    int err = source_thread_next_dwell(t);
    if (err == -EINVAL || err == -ENOTSUP)
        return false;
    if (err == 0)
        err = read_block(t);
    if (err == 0)
        source_thread_check_clock(t);
    if (err == 0)
        return true;
    if (err == -ETIMEDOUT) {
        handle_silence(t);
        return true;
    }
    if (err == -ENODATA || err == -ECANCELED)
        return false;
    const char *why = t->source->why.sentence[0] ? t->source->why.sentence : strerror(-err);
    if (t->config.ops->live) {
        lose_device(t, why);
        return true;
    }
    exchange_set_state(t->exchange, SOURCE_FAILED, "%s", why);
    return false;
}

static void source_thread_main(void *arg)
{
    struct source_thread *t = arg;
    bool more = true;
    while (more && !atomic_load(&t->stop) && !atomic_load(&t->abandoned)) {
        beat(t);
        more = step(t);
    }
    source_destroy(t->source);
    t->source = NULL;
    atomic_store(&t->ended, true);
    set_epoch(t, NULL); /* unmaps a ring, of gigabytes for seconds, if dsp is done with it */
    if (!atomic_load(&t->abandoned))
        exchange_end(t->exchange);
    source_thread_unref(t);
}

/* ---- the loop thread's side ------------------------------------------------------------- */

int source_thread_start(struct source_thread **out, const struct supervisor_config *config,
                        struct exchange *exchange, uint64_t lost_ns)
{
    struct source_thread *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t || uv_mutex_init(&t->lock) < 0) {
        free(t);
        return -ENOMEM;
    }
    atomic_init(&t->refs, 2);
    t->exchange = exchange_ref(exchange);
    t->config = *config;
    t->config.source.stop = &t->stop;
    t->rate.window_ns = config->rate_window_ns;
    t->lost_ns = lost_ns;
    t->lost_cause = LOSS_GAP;
    beat(t);
    atomic_store(&t->patience_ns, step_patience_ns);
    const int err = uv_thread_create(&t->thread, source_thread_main, t);
    if (err < 0) {
        exchange_unref(exchange);
        uv_mutex_destroy(&t->lock);
        free(t);
        return err;
    }
    *out = t;
    return 0;
}

void source_thread_unref(struct source_thread *t)
{
    if (!t || atomic_fetch_sub(&t->refs, 1) != 1)
        return;
    exchange_unref(t->exchange);
    uv_mutex_destroy(&t->lock);
    free(t);
}

void source_thread_abandon(struct source_thread *t)
{
    uv_mutex_lock(&t->lock);
    atomic_store(&t->abandoned, true);
    struct epoch *e = t->epoch ? epoch_ref(t->epoch) : NULL;
    uv_mutex_unlock(&t->lock);
    if (e)
        iq_ring_close(e->ring);
    epoch_unref(e);
    pthread_detach(t->thread);
    source_thread_unref(t);
}
