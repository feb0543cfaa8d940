/* supervisor.c - one source thread at a time, abandoned when it is stuck. */
#include "daemon/source/supervisor.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "daemon/base/clock.h"
#include "daemon/source/thread.h"
#include "daemon/source/watch.h"

struct supervisor {
    struct supervisor_config config;
    struct exchange *exchange;
    struct source_thread *thread;
    struct watch watch;
};

static int start_thread(struct supervisor *r, uint64_t lost_ns)
{
    const int err = source_thread_start(&r->thread, &r->config, r->exchange, lost_ns);
    if (err == 0)
        pthread_setname_np(r->thread->thread, "source");
    return err;
}

int supervisor_start(struct supervisor **out, const struct supervisor_config *config)
{
    struct supervisor *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return -ENOMEM;
    r->config = *config;
    int err = exchange_create(&r->exchange, &config->settings);
    if (err == 0)
        err = start_thread(r, 0);
    if (err < 0) {
        supervisor_destroy(r);
        return err;
    }
    *out = r;
    return 0;
}

/* The thread drops its own hold last, for example at the end of a recording. */
static bool is_running(const struct supervisor *r)
{
    return r->thread && atomic_load(&r->thread->refs) > 1;
}

static uint64_t beat_age_ns(const struct supervisor *r)
{
    const uint64_t now = clock_now_ns(), beat = atomic_load(&r->thread->beat_ns);
    return now > beat ? now - beat : 0;
}

static bool is_stuck(struct supervisor *r)
{
    return is_running(r) && !atomic_load(&r->thread->ended) &&
           watch_finds_stuck(&r->watch, clock_now_ns(), atomic_load(&r->thread->beat_ns),
                             atomic_load(&r->thread->patience_ns));
}

static uint64_t abandoned_threads(const struct supervisor *r)
{
    struct source_status status;
    exchange_status(r->exchange, &status);
    return status.counts.of[COUNT_ABANDONED];
}

static void abandon(struct supervisor *r)
{
    source_thread_abandon(r->thread);
    r->thread = NULL;
    exchange_count(r->exchange, COUNT_ABANDONED);
}

bool supervisor_tick(struct supervisor *r)
{
    /* Without real time nothing is lost while a step takes long: it is waited for. */
    if (!r->thread || !r->config.source.realtime || !is_stuck(r))
        return r->thread != NULL;
    const uint64_t lost_ns = atomic_load(&r->thread->beat_ns);
    abandon(r);
    if (watch_abandon(&r->watch, clock_now_ns())) {
        exchange_set_state(r->exchange, SOURCE_FAILED, "the device hung %d times; giving up",
                           WATCH_MAX_ABANDONED);
        exchange_end(r->exchange);
        return false;
    }
    exchange_set_state(r->exchange, SOURCE_WAITING,
                       "the device hangs for 5 s: abandoned, opening again");
    return start_thread(r, lost_ns) == 0;
}

void supervisor_apply(struct supervisor *r, const struct settings *settings)
{
    exchange_request(r->exchange, settings);
}

void supervisor_replay(struct supervisor *r, const struct replay_request *replay)
{
    exchange_request_replay(r->exchange, replay);
}

void supervisor_status(struct supervisor *r, struct source_status *out)
{
    exchange_status(r->exchange, out);
    out->beat_age_ns = is_running(r) ? beat_age_ns(r) : 0;
}

struct exchange *supervisor_exchange(struct supervisor *r)
{
    return r->exchange;
}

bool supervisor_stop(struct supervisor *r)
{
    if (r->thread) {
        atomic_store(&r->thread->stop, true);
        /* A read waits at most 100 ms; a thread that takes longer is stuck in its driver. */
        while (!is_stuck(r) && is_running(r))
            uv_sleep(5);
        if (is_running(r)) {
            abandon(r);
        } else {
            uv_thread_join(&r->thread->thread);
            source_thread_unref(r->thread);
            r->thread = NULL;
        }
    }
    exchange_end(r->exchange);
    return abandoned_threads(r) > 0;
}

void supervisor_destroy(struct supervisor *r)
{
    if (!r)
        return;
    exchange_unref(r->exchange);
    free(r);
}
