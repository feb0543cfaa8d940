/* event.c - events as JSON, and the store of the recent ones. */
#include "daemon/trigger/event.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/json.h"
#include "daemon/base/unix_time.h"

static json_t *position_to_json(uint64_t position)
{
    return position == UINT64_MAX ? json_null() : count_to_json(position);
}

json_t *event_to_json(const struct event *e)
{
    return json_pack("{so ss ss sb sb so so so so sb so so so so so so so so so so so so}", "id",
                     count_to_json(e->id), "trigger", e->trigger, "type", e->type, "open", e->open,
                     "exact", e->exact, "time", number_to_json((double)e->time_ns / 1e9), "time_ns",
                     json_integer(e->time_ns), "duration_s", number_to_json(e->duration_s),
                     "uncertainty_s", number_to_json(e->uncertainty_s), "hardware_time",
                     e->hardware_time, "epoch", count_to_json(e->epoch), "start",
                     position_to_json(e->start), "end", position_to_json(e->end), "first_sample",
                     count_to_json(e->first_sample), "low_hz", number_to_json(e->low_hz), "high_hz",
                     number_to_json(e->high_hz), "peak_dbfs", number_to_json(e->peak_dbfs),
                     "peak_hz", number_to_json(e->peak_hz), "center_hz",
                     number_to_json(e->center_hz), "rate_hz", number_to_json(e->rate_hz), "line",
                     count_to_json(e->line), "recording",
                     e->recording ? count_to_json(e->recording) : json_null());
}

struct event_store {
    uv_mutex_t lock;
    /* under lock */
    uint64_t before;                 /* the newest id of earlier runs; 0: none */
    uint64_t count, change;          /* the newest id; changes so far */
    uint64_t changed[EVENTS_KEPT];   /* ids in the order of changes, a ring */
    struct event event[EVENTS_KEPT]; /* id i is at (i - 1) % EVENTS_KEPT */
};

int event_store_create(struct event_store **out)
{
    struct event_store *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s || uv_mutex_init(&s->lock) < 0) {
        free(s);
        return -ENOMEM;
    }
    *out = s;
    return 0;
}

void event_store_destroy(struct event_store *s)
{
    if (!s)
        return;
    uv_mutex_destroy(&s->lock);
    free(s);
}

void event_store_continue(struct event_store *s, uint64_t newest)
{
    uv_mutex_lock(&s->lock);
    s->before = s->count = newest;
    uv_mutex_unlock(&s->lock);
}

static uint64_t oldest(const struct event_store *s)
{
    return s->count - s->before > EVENTS_KEPT ? s->count - EVENTS_KEPT + 1 : s->before + 1;
}

static struct event *at(struct event_store *s, uint64_t id)
{
    return &s->event[(id - 1) % EVENTS_KEPT];
}

static void put(struct event_store *s, const struct event *e)
{
    struct event *kept = at(s, e->id);
    *kept = *e;
    kept->change = ++s->change;
    s->changed[s->change % EVENTS_KEPT] = e->id;
}

void event_store_add(struct event_store *s, struct event *e)
{
    uv_mutex_lock(&s->lock);
    e->id = ++s->count;
    put(s, e);
    uv_mutex_unlock(&s->lock);
}

void event_store_update(struct event_store *s, const struct event *e)
{
    uv_mutex_lock(&s->lock);
    if (e->id >= oldest(s) && e->id <= s->count)
        put(s, e);
    uv_mutex_unlock(&s->lock);
}

uint64_t event_store_count(struct event_store *s)
{
    uv_mutex_lock(&s->lock);
    const uint64_t count = s->count - s->before;
    uv_mutex_unlock(&s->lock);
    return count;
}

uint64_t event_store_change(struct event_store *s)
{
    uv_mutex_lock(&s->lock);
    const uint64_t change = s->change;
    uv_mutex_unlock(&s->lock);
    return change;
}

bool event_store_find(struct event_store *s, uint64_t id, struct event *out)
{
    uv_mutex_lock(&s->lock);
    const bool found = id >= oldest(s) && id <= s->count;
    if (found)
        *out = *at(s, id);
    uv_mutex_unlock(&s->lock);
    return found;
}

int64_t event_end_ns(const struct event *e)
{
    return unix_time_after(e->time_ns, e->duration_s);
}

static bool is_wanted(const struct event *e, const struct event_filter *f)
{
    return (!f->trigger || strcmp(e->trigger, f->trigger) == 0) && e->time_ns <= f->to_ns &&
           (e->open || event_end_ns(e) >= f->from_ns);
}

/* Of the events from this id on. */
static size_t count_wanted(struct event_store *s, uint64_t first, const struct event_filter *f)
{
    size_t count = 0;
    for (uint64_t id = first; id <= s->count; id++)
        count += is_wanted(at(s, id), f);
    return count;
}

size_t event_store_list(struct event_store *s, const struct event_filter *f, struct event *out,
                        uint64_t *oldest_id)
{
    size_t count = 0;
    uv_mutex_lock(&s->lock);
    const uint64_t first = f->after + 1 > oldest(s) ? f->after + 1 : oldest(s);
    const size_t all = f->newest ? count_wanted(s, first, f) : 0;
    size_t skip = all > f->limit ? all - f->limit : 0;
    for (uint64_t id = first; id <= s->count && count < f->limit; id++) {
        if (!is_wanted(at(s, id), f))
            continue;
        if (skip > 0)
            skip--;
        else
            out[count++] = *at(s, id);
    }
    if (oldest_id)
        *oldest_id = oldest(s);
    uv_mutex_unlock(&s->lock);
    return count;
}

/* An event that changed twice is reported once, with its newest change. */
size_t event_store_changed(struct event_store *s, uint64_t after, struct event *out,
                           size_t capacity)
{
    size_t count = 0;
    uv_mutex_lock(&s->lock);
    const uint64_t kept = s->change > EVENTS_KEPT ? s->change - EVENTS_KEPT : 0;
    for (uint64_t c = (after > kept ? after : kept) + 1; c <= s->change && count < capacity; c++) {
        const struct event *e = at(s, s->changed[c % EVENTS_KEPT]);
        if (e->change == c)
            out[count++] = *e;
    }
    uv_mutex_unlock(&s->lock);
    return count;
}
