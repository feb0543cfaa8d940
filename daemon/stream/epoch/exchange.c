/* exchange.c - one lock around all that the threads pass to each other. */
#include "daemon/stream/epoch/exchange.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"

const struct figure source_figures[] = {
    FIGURE_COUNTER(struct source_counts, of[COUNT_TIMEOUTS], "timeouts", "fftd_read_timeouts",
                   "Reads of the device that timed out without samples."),
    FIGURE_COUNTER(struct source_counts, of[COUNT_REOPENED], "reopened", "fftd_source_reopened",
                   "Times that the device was reopened."),
    FIGURE_COUNTER(struct source_counts, of[COUNT_ABANDONED], "abandoned", "fftd_source_abandoned",
                   "Stuck source threads that were abandoned."),
    FIGURE_COUNTER(struct source_counts, of[COUNT_CLOCK], "clock_corrections",
                   "fftd_clock_corrections",
                   "Corrections of the samples' time after a step or drift of a clock."),
    FIGURE_END,
};

struct exchange {
    atomic_uint refs;
    uv_mutex_t lock;
    uv_cond_t changed;
    /* under lock */
    struct settings requested;
    uint64_t request_version, prepared_version;
    struct replay_request replay;
    uint64_t replay_version;
    struct source_status source;
    struct radio_options *radio; /* a reference */
    struct epoch *first;         /* queue for the dsp thread, oldest first */
    uint32_t epochs;             /* numbers given out so far */
    bool ended;                  /* no epoch will follow */
    bool planned;                /* the dsp thread has had a plan */
};

int exchange_create(struct exchange **out, const struct settings *settings)
{
    struct exchange *x = calloc(1, sizeof *x);
    *out = NULL;
    if (!x || uv_mutex_init(&x->lock) < 0) {
        free(x);
        return -ENOMEM;
    }
    uv_cond_init(&x->changed);
    atomic_init(&x->refs, 1);
    x->requested = *settings;
    x->prepared_version = UINT64_MAX;
    *out = x;
    return 0;
}

struct exchange *exchange_ref(struct exchange *x)
{
    atomic_fetch_add(&x->refs, 1);
    return x;
}

void exchange_unref(struct exchange *x)
{
    if (!x || atomic_fetch_sub(&x->refs, 1) != 1)
        return;
    while (x->first) {
        struct epoch *next = x->first->next;
        epoch_unref(x->first);
        x->first = next;
    }
    radio_options_unref(x->radio);
    uv_cond_destroy(&x->changed);
    uv_mutex_destroy(&x->lock);
    free(x);
}

/* ---- the source's side ------------------------------------------------------------------ */

static void log_state(enum source_state state, const char *message)
{
    if (!message[0] || state == SOURCE_FAILED) /* a failure ends the daemon, which logs it */
        return;
    log_warn("source: %s", message);
}

void exchange_set_state(struct exchange *x, enum source_state state, const char *format, ...)
{
    struct source_status *s = &x->source;
    char message[sizeof s->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);

    uv_mutex_lock(&x->lock);
    const bool changed = s->state != state || strcmp(s->message, message) != 0;
    s->state = state;
    memcpy(s->message, message, sizeof message);
    uv_cond_broadcast(&x->changed);
    uv_mutex_unlock(&x->lock);
    if (changed)
        log_state(state, message);
}

void exchange_set_stream(struct exchange *x, const struct stream *stream)
{
    uv_mutex_lock(&x->lock);
    x->source.stream = *stream;
    uv_mutex_unlock(&x->lock);
}

void exchange_set_radio(struct exchange *x, struct radio_options *radio)
{
    uv_mutex_lock(&x->lock);
    struct radio_options *old = x->radio;
    x->radio = radio_options_ref(radio);
    uv_mutex_unlock(&x->lock);
    radio_options_unref(old);
}

void exchange_set_replay(struct exchange *x, const struct replay_state *replay)
{
    uv_mutex_lock(&x->lock);
    x->source.replay = *replay;
    uv_mutex_unlock(&x->lock);
}

void exchange_count(struct exchange *x, enum source_count count)
{
    uv_mutex_lock(&x->lock);
    x->source.counts.of[count]++;
    uv_mutex_unlock(&x->lock);
}

uint32_t exchange_number_epoch(struct exchange *x)
{
    uv_mutex_lock(&x->lock);
    const uint32_t number = x->epochs++;
    uv_mutex_unlock(&x->lock);
    return number;
}

void exchange_push_epoch(struct exchange *x, struct epoch *e)
{
    uv_mutex_lock(&x->lock);
    struct epoch **at = &x->first;
    while (*at)
        at = &(*at)->next;
    *at = e;
    x->source.opened = true;
    uv_cond_broadcast(&x->changed);
    uv_mutex_unlock(&x->lock);
}

uint32_t exchange_backlog(struct exchange *x)
{
    uint32_t count = 0;
    uv_mutex_lock(&x->lock);
    for (const struct epoch *e = x->first; e; e = e->next)
        count++;
    uv_mutex_unlock(&x->lock);
    return count;
}

void exchange_end(struct exchange *x)
{
    uv_mutex_lock(&x->lock);
    x->ended = true;
    uv_cond_broadcast(&x->changed);
    uv_mutex_unlock(&x->lock);
}

/* ---- the dsp thread's side -------------------------------------------------------------- */

struct epoch *exchange_take_epoch(struct exchange *x, int timeout_ms, bool *ended)
{
    const uint64_t until = clock_after_ms(timeout_ms);
    uv_mutex_lock(&x->lock);
    while (!x->first && !x->ended && clock_wait(&x->changed, &x->lock, until))
        ;
    struct epoch *e = x->first;
    if (e) {
        x->first = e->next;
        e->next = NULL;
    }
    *ended = !e && x->ended;
    uv_mutex_unlock(&x->lock);
    return e;
}

void exchange_set_planned(struct exchange *x)
{
    uv_mutex_lock(&x->lock);
    x->planned = true;
    uv_cond_broadcast(&x->changed);
    uv_mutex_unlock(&x->lock);
}

bool exchange_wait_planned(struct exchange *x, int timeout_ms)
{
    const uint64_t until = clock_after_ms(timeout_ms);
    uv_mutex_lock(&x->lock);
    while (!x->planned && clock_wait(&x->changed, &x->lock, until))
        ;
    const bool planned = x->planned;
    uv_mutex_unlock(&x->lock);
    return planned;
}

/* ---- requests and status ---------------------------------------------------------------- */

void exchange_request(struct exchange *x, const struct settings *settings)
{
    uv_mutex_lock(&x->lock);
    x->requested = *settings;
    x->request_version++;
    uv_mutex_unlock(&x->lock);
}

bool exchange_requested(struct exchange *x, uint64_t *version, struct settings *settings)
{
    uv_mutex_lock(&x->lock);
    const bool changed = x->request_version != *version;
    *version = x->request_version;
    *settings = x->requested;
    uv_mutex_unlock(&x->lock);
    return changed;
}

void exchange_set_prepared(struct exchange *x, uint64_t version)
{
    uv_mutex_lock(&x->lock);
    x->prepared_version = version;
    uv_mutex_unlock(&x->lock);
}

bool exchange_is_prepared(struct exchange *x, uint64_t version)
{
    uv_mutex_lock(&x->lock);
    const bool prepared = x->prepared_version >= version;
    uv_mutex_unlock(&x->lock);
    return prepared;
}

void exchange_request_replay(struct exchange *x, const struct replay_request *replay)
{
    uv_mutex_lock(&x->lock);
    x->replay = *replay;
    x->replay_version++;
    uv_mutex_unlock(&x->lock);
}

bool exchange_replay_requested(struct exchange *x, uint64_t *version, struct replay_request *out)
{
    uv_mutex_lock(&x->lock);
    const bool changed = x->replay_version != *version;
    *version = x->replay_version;
    *out = x->replay;
    uv_mutex_unlock(&x->lock);
    return changed;
}

struct radio_options *exchange_radio(struct exchange *x)
{
    uv_mutex_lock(&x->lock);
    struct radio_options *radio = radio_options_ref(x->radio);
    uv_mutex_unlock(&x->lock);
    return radio;
}

void exchange_status(struct exchange *x, struct source_status *out)
{
    uv_mutex_lock(&x->lock);
    *out = x->source;
    uv_mutex_unlock(&x->lock);
}
