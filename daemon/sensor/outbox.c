/* outbox.c - the queue of messages for the broker. */
#include "daemon/sensor/outbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"

struct outbox {
    uv_mutex_t lock;
    uv_cond_t changed;
    /* under lock */
    struct outbox_message *first, **end; /* oldest first; where the next one is linked */
    uint64_t last_id;
    size_t bytes, lines; /* of the messages in the queue */
    bool woken;
    struct outbox_state state;
};

static const struct {
    const char *name;
    bool keeps; /* until it is confirmed */
} kinds[OUTBOX_KINDS] = {
    [OUTBOX_ANNOUNCE] = {"announce", false}, [OUTBOX_LINES] = {"lines", true},
    [OUTBOX_STATUS] = {"status", false},     [OUTBOX_LEDGER] = {"ledger", false},
    [OUTBOX_EVENTS] = {"events", true},      [OUTBOX_MEASUREMENTS] = {"measurements", false},
    [OUTBOX_LINK] = {"link", true},
};

const char *outbox_kind_name(enum outbox_kind kind)
{
    return kinds[kind].name;
}

/* ---- the queue, under lock --------------------------------------------------------------- */

static bool has_capacity(const struct outbox *o, enum outbox_kind kind, size_t size)
{
    return o->bytes + size <= OUTBOX_BYTES_MAX &&
           (kind != OUTBOX_LINES || o->lines < OUTBOX_LINES_MAX);
}

static void append(struct outbox *o, struct outbox_message *m)
{
    m->id = ++o->last_id;
    *o->end = m;
    o->end = &m->next;
    o->bytes += m->size;
    o->lines += m->kind == OUTBOX_LINES;
    o->state.waiting++;
}

static void remove_at(struct outbox *o, struct outbox_message **at)
{
    struct outbox_message *m = *at;
    *at = m->next;
    if (o->end == &m->next)
        o->end = at;
    o->bytes -= m->size;
    o->lines -= m->kind == OUTBOX_LINES;
    o->state.waiting--;
    free(m);
}

/* ---- any thread -------------------------------------------------------------------------- */

static struct outbox_message *create_message(enum outbox_kind kind, const void *data, size_t size)
{
    struct outbox_message *m = malloc(sizeof *m + size);
    if (!m)
        return NULL;
    *m = (struct outbox_message){.kind = kind, .size = size};
    memcpy(m->data, data, size);
    return m;
}

bool outbox_push(struct outbox *o, enum outbox_kind kind, const void *data, size_t size)
{
    struct outbox_message *m = create_message(kind, data, size);
    uv_mutex_lock(&o->lock);
    const bool wanted = o->state.up || kinds[kind].keeps;
    const bool fits = m && has_capacity(o, kind, size);
    if (wanted && fits) {
        append(o, m);
        uv_cond_signal(&o->changed);
        m = NULL;
    }
    o->state.dropped_events += wanted && !fits && kind == OUTBOX_EVENTS;
    uv_mutex_unlock(&o->lock);
    free(m);
    return fits || !wanted;
}

bool outbox_wants_line(struct outbox *o)
{
    uv_mutex_lock(&o->lock);
    const bool wants = o->state.up && o->lines < OUTBOX_LINES_MAX / 2;
    uv_mutex_unlock(&o->lock);
    return wants;
}

void outbox_state(struct outbox *o, struct outbox_state *out)
{
    uv_mutex_lock(&o->lock);
    *out = o->state;
    uv_mutex_unlock(&o->lock);
}

void outbox_wake(struct outbox *o)
{
    uv_mutex_lock(&o->lock);
    o->woken = true;
    uv_cond_signal(&o->changed);
    uv_mutex_unlock(&o->lock);
}

/* ---- the thread of the link -------------------------------------------------------------- */

/* The link has just come up: under lock. */
static void begin_again(struct outbox *o)
{
    struct outbox_message **at = &o->first;
    while (*at) {
        if (!kinds[(*at)->kind].keeps) {
            remove_at(o, at);
            continue;
        }
        o->state.again += (*at)->sent;
        (*at)->sent = false;
        at = &(*at)->next;
    }
    o->state.links++;
    o->state.back_ns = clock_unix_ns();
}

void outbox_set_up(struct outbox *o, bool up)
{
    uv_mutex_lock(&o->lock);
    if (up)
        begin_again(o);
    else if (o->state.up)
        o->state.lost_ns = clock_unix_ns();
    o->state.up = up;
    uv_mutex_unlock(&o->lock);
}

static struct outbox_message *find_unsent(const struct outbox *o)
{
    struct outbox_message *m = o->first;
    while (m && m->sent)
        m = m->next;
    return m;
}

const struct outbox_message *outbox_next(struct outbox *o, int timeout_ms)
{
    const uint64_t until = clock_after_ms(timeout_ms);
    struct outbox_message *m;
    uv_mutex_lock(&o->lock);
    while (!(m = find_unsent(o)) && !o->woken && clock_wait(&o->changed, &o->lock, until))
        ;
    o->woken = false;
    if (m) {
        m->sent = true;
        o->state.messages++;
        o->state.bytes += m->size;
    }
    uv_mutex_unlock(&o->lock);
    return m;
}

void outbox_confirm(struct outbox *o, uint64_t id)
{
    uv_mutex_lock(&o->lock);
    while (o->first && o->first->sent && o->first->id <= id)
        remove_at(o, &o->first);
    uv_mutex_unlock(&o->lock);
}

/* ---- start and end ----------------------------------------------------------------------- */

int outbox_create(struct outbox **out)
{
    struct outbox *o = calloc(1, sizeof *o);
    *out = NULL;
    if (!o || uv_mutex_init(&o->lock) < 0) {
        free(o);
        return -ENOMEM;
    }
    if (uv_cond_init(&o->changed) < 0) {
        uv_mutex_destroy(&o->lock);
        free(o);
        return -ENOMEM;
    }
    o->end = &o->first;
    *out = o;
    return 0;
}

void outbox_destroy(struct outbox *o)
{
    if (!o)
        return;
    while (o->first)
        remove_at(o, &o->first);
    uv_cond_destroy(&o->changed);
    uv_mutex_destroy(&o->lock);
    free(o);
}
