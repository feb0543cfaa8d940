#include "daemon/source/supervisor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/source/thread.h"

struct supervisor {
    struct supervisor_config config;
    struct exchange *exchange;
    struct source_thread *thread;
};

int supervisor_start(struct supervisor **out, const struct supervisor_config *config)
{
    struct supervisor *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return -ENOMEM;
    r->config = *config;
    int err = exchange_create(&r->exchange, &config->settings);
    if (err == 0)
        err = source_thread_start(&r->thread, config, r->exchange, 0);
    if (err < 0) {
        supervisor_destroy(r);
        return err;
    }
    *out = r;
    return 0;
}

/* The thread's own hold is the last thing that it lets go of: at the end of a recording, say. */
static bool running(const struct supervisor *r)
{
    return r->thread && atomic_load(&r->thread->holders) > 1;
}

static uint64_t beat_age(const struct supervisor *r)
{
    const uint64_t now = uv_hrtime(), beat = running(r) ? atomic_load(&r->thread->beat_ns) : now;
    return now > beat ? now - beat : 0;
}

static bool stuck(const struct supervisor *r)
{
    return beat_age(r) >= atomic_load(&r->thread->patience_ns);
}

static uint64_t abandoned(const struct supervisor *r)
{
    uv_mutex_lock(&r->exchange->lock);
    const uint64_t count = r->exchange->abandoned;
    uv_mutex_unlock(&r->exchange->lock);
    return count;
}

static void abandon(struct supervisor *r)
{
    source_thread_abandon(r->thread);
    r->thread = NULL;
    uv_mutex_lock(&r->exchange->lock);
    r->exchange->abandoned++;
    uv_mutex_unlock(&r->exchange->lock);
}

bool supervisor_tick(struct supervisor *r)
{
    if (!r->thread || !stuck(r))
        return r->thread != NULL;
    const uint64_t lost_ns = atomic_load(&r->thread->beat_ns);
    abandon(r);
    if (abandoned(r) >= SUPERVISOR_MAX_ABANDONED) {
        exchange_say(r->exchange, SOURCE_FAILED, "the device hung %d times; giving up",
                     SUPERVISOR_MAX_ABANDONED);
        exchange_end(r->exchange);
        return false;
    }
    exchange_say(r->exchange, SOURCE_WAITING, "the device hangs for 5 s: abandoned, opening again");
    return source_thread_start(&r->thread, &r->config, r->exchange, lost_ns) == 0;
}

void supervisor_apply(struct supervisor *r, const struct settings *settings)
{
    exchange_request(r->exchange, settings);
}

void supervisor_report(struct supervisor *r, struct supervisor_report *out)
{
    struct exchange *x = r->exchange;
    uv_mutex_lock(&x->lock);
    *out = (struct supervisor_report){.state = x->state,
                                      .stream = x->stream,
                                      .opened = x->opened,
                                      .timeouts = x->timeouts,
                                      .reopened = x->reopened,
                                      .abandoned = x->abandoned};
    memcpy(out->message, x->message, sizeof out->message);
    uv_mutex_unlock(&x->lock);
    out->beat_age_ns = beat_age(r);
}

struct exchange *supervisor_exchange(struct supervisor *r)
{
    return r->exchange;
}

bool supervisor_stop(struct supervisor *r)
{
    if (r->thread) {
        atomic_store(&r->thread->stop, true);
        /* A source waits at most 100 ms; one that does not come back is stuck. */
        while (!stuck(r) && running(r))
            uv_sleep(5);
        if (running(r)) {
            abandon(r);
        } else {
            uv_thread_join(&r->thread->thread);
            source_thread_drop(r->thread);
            r->thread = NULL;
        }
    }
    exchange_end(r->exchange);
    return abandoned(r) > 0;
}

void supervisor_destroy(struct supervisor *r)
{
    if (!r)
        return;
    exchange_drop(r->exchange);
    free(r);
}
