#include "daemon/source/thread.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/base/log.h"

enum { READ_TIMEOUT_MS = 100, FIRST_RETRY_MS = 500, LAST_RETRY_MS = 10000, BUSY_TRIES = 3 };
static const uint64_t stalled_ns = 2000000000, gone_ns = 5000000000;
/* Drivers may load firmware while they open: that is no hang. */
static const uint64_t step_patience_ns = 5000000000, open_patience_ns = 20000000000;

static void beat(struct source_thread *t)
{
    atomic_store(&t->beat_ns, uv_hrtime());
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = READ_TIMEOUT_MS * 500000L}, NULL);
}

/* ---- time ------------------------------------------------------------------------------- */

static void set_clock(struct source_thread *t, int64_t time_ns)
{
    t->clock_ns = time_ns;
    t->clock_sample = t->delivered;
}

/* Time of the next sample: the last time that the source told, and the samples since. */
static int64_t clock_now(const struct source_thread *t)
{
    const double seconds =
        (double)(t->delivered - t->clock_sample) / t->source->stream.tuning.rate_hz;
    return t->clock_ns + (int64_t)llround(seconds * 1e9);
}

/* ---- epochs ----------------------------------------------------------------------------- */

static void set_epoch(struct source_thread *t, struct epoch *e)
{
    uv_mutex_lock(&t->exchange->lock);
    struct epoch *old = t->epoch;
    t->epoch = e;
    t->exchange->stream = e ? e->stream : t->exchange->stream;
    uv_mutex_unlock(&t->exchange->lock);
    if (old)
        iq_ring_close(old->ring);
    epoch_drop(old);
}

static int new_epoch(struct source_thread *t)
{
    struct exchange *x = t->exchange;
    uv_mutex_lock(&x->lock);
    const uint32_t number = x->epochs++;
    uv_mutex_unlock(&x->lock);
    const struct epoch_config config = {.number = number,
                                        .n = t->n,
                                        .ring_bytes = t->config.ring_bytes,
                                        .lossless = t->config.lossless};
    struct epoch *e = NULL;
    char error[256] = "";
    struct stream stream = t->source->stream;
    stream.start_ns = clock_now(t);
    const int err = epoch_create(&e, &stream, &config, error, sizeof error);
    if (err < 0) {
        exchange_say(x, SOURCE_FAILED, "%s", error);
        return err;
    }
    t->block = epoch_block(&e->stream, iq_ring_capacity(e->ring));
    set_epoch(t, epoch_hold(e));
    exchange_push_epoch(x, e);
    return 0;
}

/* ---- marks ------------------------------------------------------------------------------ */

static void report_stream(struct source_thread *t)
{
    uv_mutex_lock(&t->exchange->lock);
    t->exchange->stream = t->source->stream;
    uv_mutex_unlock(&t->exchange->lock);
}

/* Hands what the source marked over to the ring. */
static void forward_mark(struct source_thread *t)
{
    struct source_mark *m = &t->source->mark;
    if (!m->set)
        return;
    struct iq_mark mark = {.tuning_changed = m->tuning_changed,
                           .tuning = t->source->stream.tuning,
                           .gain_db = t->source->stream.gain_db,
                           .has_time = m->has_time,
                           .time_ns = m->time_ns};
    if (m->cause < LOSS_CAUSES) {
        mark.events[m->cause] = 1;
        mark.lost[m->cause] = m->lost;
        t->delivered += m->lost;
    }
    if (m->has_time)
        set_clock(t, m->time_ns);
    iq_ring_mark(t->epoch->ring, &mark);
    if (m->tuning_changed)
        report_stream(t);
    *m = (struct source_mark){0};
}

/* The device was away: what it would have delivered is lost, as far as the clock can tell. */
static void mark_absence(struct source_thread *t)
{
    const double seconds = (double)(uv_hrtime() - t->lost_ns) * 1e-9;
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

static void close_source(struct source_thread *t)
{
    if (t->source && t->config.ops->live && !t->lost_ns) {
        t->lost_ns = uv_hrtime();
        t->lost_cause = LOSS_GAP;
    }
    source_destroy(t->source);
    t->source = NULL;
}

static void retry_later(struct source_thread *t)
{
    uint64_t wait_ms = FIRST_RETRY_MS;
    for (uint32_t i = 0; i < t->failures && wait_ms < LAST_RETRY_MS; i++)
        wait_ms *= 2;
    if (wait_ms > LAST_RETRY_MS)
        wait_ms = LAST_RETRY_MS;
    t->failures++;
    t->retry_ns = uv_hrtime() + wait_ms * 1000000;
}

/* The stream that was opened goes on in the epoch, or begins a new one. */
static int adopt(struct source_thread *t)
{
    int err = 0;
    if (t->epoch && epoch_suits(t->epoch, &t->source->stream, t->n)) {
        report_stream(t);
    } else {
        /* What was lost before its first sample belongs to it: its time begins back there. */
        const uint64_t absent_ns = t->lost_ns ? uv_hrtime() - t->lost_ns : 0;
        t->delivered = 0;
        set_clock(t, t->source->stream.start_ns - (int64_t)absent_ns);
        err = new_epoch(t);
    }
    if (err == 0 && t->lost_ns)
        mark_absence(t);
    return err;
}

static bool is_final(const struct source_thread *t, int err, bool again)
{
    if (!t->config.ops->live)
        return true;
    return err == -EBUSY ? t->failures >= BUSY_TRIES : err == -EINVAL && !again;
}

/* A tuning that the device refused may have been taken back: another is tried at once. */
static void catch_up(struct source_thread *t)
{
    struct settings settings;
    if (!exchange_requested(t->exchange, &t->request_version, &settings))
        return;
    if (!tuning_equal(&settings.tuning, &t->config.source.tuning))
        t->retry_ns = 0;
    t->config.source.tuning = settings.tuning;
    t->n = settings.n;
}

/* 0: opened; -EAGAIN: not now; else it will never open. */
static int open_source(struct source_thread *t)
{
    catch_up(t);
    if (uv_hrtime() < t->retry_ns || exchange_backlog(t->exchange) >= EXCHANGE_BACKLOG) {
        nap();
        return -EAGAIN;
    }
    char error[256] = "";
    const bool again = t->epoch != NULL || t->lost_ns != 0;
    atomic_store(&t->patience_ns, open_patience_ns);
    int err = source_create(&t->source, t->config.ops, &t->config.source, error, sizeof error);
    beat(t);
    atomic_store(&t->patience_ns, step_patience_ns);
    if (atomic_load(&t->abandoned))
        return -ECANCELED;
    if (err < 0) {
        const bool final = is_final(t, err, again);
        exchange_say(t->exchange, final ? SOURCE_FAILED : SOURCE_WAITING, "%s", error);
        retry_later(t);
        return final ? err : -EAGAIN;
    }
    err = adopt(t);
    if (err < 0)
        return err;
    if (again) {
        uv_mutex_lock(&t->exchange->lock);
        t->exchange->reopened++;
        uv_mutex_unlock(&t->exchange->lock);
    }
    t->last_samples_ns = uv_hrtime();
    exchange_say(t->exchange, SOURCE_RUNNING, "%s", "");
    log_info("source %s: %s, %.10g samples/s at %.10g Hz", t->config.ops->name,
             t->source->stream.about, t->source->stream.tuning.rate_hz,
             t->source->stream.tuning.center_hz);
    return 0;
}

/* ---- tuning ----------------------------------------------------------------------------- */

static void tune(struct source_thread *t, const struct tuning *want)
{
    const struct source_ops *ops = t->config.ops;
    t->source->error[0] = '\0';
    const int err = ops->tune ? ops->tune(t->source, want) : -ENOTSUP;
    if (err == 0) {
        t->config.source.tuning = *want;
        forward_mark(t);
        report_stream(t);
        exchange_say(t->exchange, SOURCE_RUNNING, "%s", "");
    } else if (err == -EAGAIN) {
        t->config.source.tuning = *want;
        close_source(t);
        t->lost_cause = LOSS_RETUNE;
    } else {
        exchange_say(t->exchange, SOURCE_RUNNING, "%s: cannot tune: %s", ops->name,
                     t->source->error[0] ? t->source->error : "not supported by this source");
    }
}

/* 0, or the source is closed or useless. */
static int apply_wanted(struct source_thread *t)
{
    struct settings settings;
    if (!exchange_requested(t->exchange, &t->request_version, &settings))
        return 0;
    t->n = settings.n;
    if (!tuning_equal(&settings.tuning, &t->config.source.tuning))
        tune(t, &settings.tuning);
    if (t->source && !epoch_suits(t->epoch, &t->source->stream, t->n))
        return new_epoch(t);
    return 0;
}

/* ---- reading ---------------------------------------------------------------------------- */

static void device_is_lost(struct source_thread *t, const char *why)
{
    exchange_say(t->exchange, SOURCE_WAITING, "%s; opening it again", why);
    close_source(t);
    t->lost_ns = t->last_samples_ns; /* its silence before is part of its absence */
    retry_later(t);
}

static void nothing_came(struct source_thread *t)
{
    const uint64_t silent = uv_hrtime() - t->last_samples_ns;
    uv_mutex_lock(&t->exchange->lock);
    t->exchange->timeouts++;
    uv_mutex_unlock(&t->exchange->lock);
    if (!t->config.ops->live || silent < stalled_ns)
        return;
    if (silent > gone_ns)
        device_is_lost(t, "no sample from the device for 5 s");
    else
        exchange_say(t->exchange, SOURCE_STALLED, "no sample from the device for 2 s");
    t->stalled = true;
}

/* 0: go on; -ENODATA: the end; else the device failed. */
static int read_block(struct source_thread *t)
{
    void *into = iq_ring_write_begin(t->epoch->ring, READ_TIMEOUT_MS);
    if (!into)
        return 0;
    const int64_t got = t->config.ops->read(t->source, into, t->block, READ_TIMEOUT_MS);
    if (atomic_load(&t->abandoned))
        return -ECANCELED;
    forward_mark(t);
    iq_ring_write_end(t->epoch->ring, got > 0 ? (uint32_t)got : 0);
    if (got > 0) {
        t->last_samples_ns = uv_hrtime();
        t->delivered += (uint64_t)got;
        t->failures = 0;
        if (t->stalled)
            exchange_say(t->exchange, SOURCE_RUNNING, "%s", "");
        t->stalled = false;
    }
    return got > 0 ? 0 : got == 0 ? -ETIMEDOUT : (int)got;
}

static bool step(struct source_thread *t)
{
    if (!t->source) {
        const int err = open_source(t);
        return err == 0 || err == -EAGAIN;
    }
    if (apply_wanted(t) < 0)
        return false;
    if (!t->source)
        return true;
    const int err = read_block(t);
    if (err == 0)
        return true;
    if (err == -ETIMEDOUT) {
        nothing_came(t);
        return true;
    }
    if (err == -ENODATA || err == -ECANCELED)
        return false;
    const char *why = t->source->error[0] ? t->source->error : strerror(-err);
    if (t->config.ops->live) {
        device_is_lost(t, why);
        return true;
    }
    exchange_say(t->exchange, SOURCE_FAILED, "%s", why);
    return false;
}

static void source_thread_main(void *arg)
{
    struct source_thread *t = arg;
    bool going = true;
    while (going && !atomic_load(&t->stop) && !atomic_load(&t->abandoned)) {
        beat(t);
        going = step(t);
    }
    source_destroy(t->source);
    t->source = NULL;
    set_epoch(t, NULL);
    if (!atomic_load(&t->abandoned))
        exchange_end(t->exchange);
    source_thread_drop(t);
}

/* ---- the loop thread's side ------------------------------------------------------------- */

int source_thread_start(struct source_thread **out, const struct supervisor_config *config,
                        struct exchange *exchange, uint64_t lost_ns)
{
    struct source_thread *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t)
        return -ENOMEM;
    atomic_init(&t->holders, 2);
    t->exchange = exchange_hold(exchange);
    t->config = *config;
    t->lost_ns = lost_ns;
    t->lost_cause = LOSS_GAP;
    t->n = config->settings.n;
    beat(t);
    atomic_store(&t->patience_ns, step_patience_ns);
    const int err = uv_thread_create(&t->thread, source_thread_main, t);
    if (err < 0) {
        exchange_drop(exchange);
        free(t);
        return err;
    }
    *out = t;
    return 0;
}

void source_thread_drop(struct source_thread *t)
{
    if (!t || atomic_fetch_sub(&t->holders, 1) != 1)
        return;
    exchange_drop(t->exchange);
    free(t);
}

void source_thread_abandon(struct source_thread *t)
{
    uv_mutex_lock(&t->exchange->lock);
    atomic_store(&t->abandoned, true);
    struct epoch *e = t->epoch ? epoch_hold(t->epoch) : NULL;
    uv_mutex_unlock(&t->exchange->lock);
    if (e)
        iq_ring_close(e->ring);
    epoch_drop(e);
    pthread_detach(t->thread);
    source_thread_drop(t);
}
