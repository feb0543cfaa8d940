#include "daemon/stream/exchange.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"

int exchange_create(struct exchange **out, const struct settings *settings)
{
    struct exchange *x = calloc(1, sizeof *x);
    *out = NULL;
    if (!x || uv_mutex_init(&x->lock) < 0) {
        free(x);
        return -ENOMEM;
    }
    uv_cond_init(&x->changed);
    atomic_init(&x->holders, 1);
    x->requested = *settings;
    *out = x;
    return 0;
}

struct exchange *exchange_hold(struct exchange *x)
{
    atomic_fetch_add(&x->holders, 1);
    return x;
}

void exchange_drop(struct exchange *x)
{
    if (!x || atomic_fetch_sub(&x->holders, 1) != 1)
        return;
    while (x->first) {
        struct epoch *next = x->first->next;
        epoch_drop(x->first);
        x->first = next;
    }
    uv_cond_destroy(&x->changed);
    uv_mutex_destroy(&x->lock);
    free(x);
}

void exchange_say(struct exchange *x, enum source_state state, const char *format, ...)
{
    char message[sizeof x->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);

    uv_mutex_lock(&x->lock);
    const bool news = x->state != state || strcmp(x->message, message) != 0;
    x->state = state;
    memcpy(x->message, message, sizeof message);
    uv_cond_broadcast(&x->changed);
    uv_mutex_unlock(&x->lock);
    if (news && message[0] && state != SOURCE_FAILED) /* that one ends the daemon, which says it */
        (state == SOURCE_RUNNING ? log_info : log_warn)("source: %s", message);
}

void exchange_push_epoch(struct exchange *x, struct epoch *e)
{
    uv_mutex_lock(&x->lock);
    struct epoch **at = &x->first;
    while (*at)
        at = &(*at)->next;
    *at = e;
    x->opened = true;
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

struct epoch *exchange_take_epoch(struct exchange *x, int timeout_ms, bool *ended)
{
    const uint64_t until = uv_hrtime() + (uint64_t)timeout_ms * 1000000;
    uv_mutex_lock(&x->lock);
    while (!x->first && !x->ended) {
        const uint64_t now = uv_hrtime();
        if (now >= until || uv_cond_timedwait(&x->changed, &x->lock, until - now) < 0)
            break;
    }
    struct epoch *e = x->first;
    if (e) {
        x->first = e->next;
        e->next = NULL;
    }
    *ended = !e && x->ended;
    uv_mutex_unlock(&x->lock);
    return e;
}

void exchange_end(struct exchange *x)
{
    uv_mutex_lock(&x->lock);
    x->ended = true;
    uv_cond_broadcast(&x->changed);
    uv_mutex_unlock(&x->lock);
}

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
