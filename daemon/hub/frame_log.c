/* frame_log.c - a ring of frames that begins with a complete one. */
#include "daemon/hub/frame_log.h"

#include <stdlib.h>
#include <string.h>

static struct frame_log_entry *entry(const struct frame_log *l, uint64_t number)
{
    return &l->entries[number % l->capacity];
}

/* Memory of a kept frame. */
static size_t bytes_of(size_t size)
{
    return sizeof(struct frame_log_entry) + sizeof(struct ws_message) + WS_MESSAGE_PRE + size;
}

size_t frame_log_share(uint32_t logs)
{
    const size_t share = FRAME_LOGS_BYTES / (logs > 0 ? logs : 1);
    return share < FRAME_LOG_BYTES ? share : FRAME_LOG_BYTES;
}

/* ---- adding and dropping ----------------------------------------------------------------- */

static void drop_first(struct frame_log *l)
{
    struct ws_message *f = entry(l, l->first)->frame;
    l->bytes -= bytes_of(f->size);
    *l->all_bytes -= bytes_of(f->size);
    ws_message_unref(f);
    l->first++;
}

/* The frames up to the second complete one. */
static void drop_oldest(struct frame_log *l)
{
    do
        drop_first(l);
    while (l->first < l->end && entry(l, l->first)->start < l->first);
    while (l->recents > 0 && l->recent[0] < l->first)
        memmove(l->recent, l->recent + 1, --l->recents * sizeof *l->recent);
}

void frame_log_trim(struct frame_log *l, size_t bytes_max)
{
    while (l->first < l->end && l->bytes > bytes_max)
        drop_oldest(l);
}

void frame_log_clear(struct frame_log *l)
{
    while (l->first < l->end)
        drop_oldest(l);
}

void frame_log_finish(struct frame_log *l)
{
    frame_log_clear(l);
    free(l->entries);
    l->entries = NULL;
}

/* Doubles the ring. */
static bool grow(struct frame_log *l)
{
    if (l->entries && l->end - l->first < l->capacity)
        return true;
    const uint32_t capacity = l->capacity ? 2 * l->capacity : 16;
    struct frame_log_entry *entries = calloc(capacity, sizeof *entries);
    if (!entries)
        return false;
    for (uint64_t i = l->first; i < l->end; i++)
        entries[i % capacity] = *entry(l, i);
    free(l->entries);
    l->entries = entries;
    l->capacity = capacity;
    return true;
}

static void note_complete(struct frame_log *l)
{
    if (l->recents == FRAME_LOG_RUNS)
        memmove(l->recent, l->recent + 1, --l->recents * sizeof *l->recent);
    l->recent[l->recents++] = l->end;
}

bool frame_log_add(struct frame_log *l, struct ws_message *frame, bool complete, int64_t time_ns,
                   size_t bytes_max)
{
    const size_t bytes = bytes_of(frame->size);
    frame_log_trim(l, bytes < bytes_max ? bytes_max - bytes : 0);
    const struct frame_log_entry *before = l->first < l->end ? entry(l, l->end - 1) : NULL;
    if ((!complete && !before) || bytes > bytes_max || !grow(l)) {
        ws_message_unref(frame);
        return false;
    }
    before = l->first < l->end ? entry(l, l->end - 1) : NULL; /* the ring may be another one */
    if (complete)
        note_complete(l);
    *entry(l, l->end) = (struct frame_log_entry){
        .frame = frame,
        .time_ns = before && before->time_ns > time_ns ? before->time_ns : time_ns,
        .start = complete || !before ? l->end : before->start};
    l->end++;
    l->bytes += bytes;
    *l->all_bytes += bytes;
    return true;
}

/* ---- viewers ----------------------------------------------------------------------------- */

static uint64_t newest_complete(const struct frame_log *l)
{
    return l->recents > 0 ? l->recent[l->recents - 1] : l->end;
}

/* The first frame that came at this time or later; the end: none did. */
static uint64_t find_time(const struct frame_log *l, int64_t time_ns)
{
    uint64_t low = l->first, high = l->end;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (entry(l, middle)->time_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct frame_cursor frame_log_start(const struct frame_log *l, int64_t now_ns, int64_t past_ns)
{
    const uint64_t newest = newest_complete(l);
    const uint64_t from = past_ns > 0 ? find_time(l, now_ns - past_ns) : l->end;
    const uint64_t start = from < l->end ? entry(l, from)->start : newest;
    const uint64_t next = start < newest ? start : newest;
    /* A viewer that reads twice as fast as frames come has caught up by then. */
    return (struct frame_cursor){
        .next = next, .live = newest, .until = newest > next ? newest + (newest - next) : next};
}

/* The oldest frame that a viewer may still need. */
static uint64_t limit_of(const struct frame_log *l, const struct frame_cursor *c)
{
    const bool catches_up = c->next < c->until;
    return catches_up || l->recents < FRAME_LOG_RUNS ? l->first : l->recent[0];
}

struct ws_message *frame_log_next(struct frame_log *l, struct frame_cursor *c, uint64_t *dropped)
{
    if (c->next < limit_of(l, c)) {
        const uint64_t start = newest_complete(l), counted = c->next > c->live ? c->next : c->live;
        *dropped += start > counted ? start - counted : 0;
        c->next = c->until = start;
    }
    if (c->next == l->end)
        c->until = c->next;
    return c->next < l->end ? ws_message_ref(entry(l, c->next++)->frame) : NULL;
}
