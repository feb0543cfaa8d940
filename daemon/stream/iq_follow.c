/* iq_follow.c - readers of the ring that follow the dsp thread: recordings. */
#include "daemon/base/clock.h"
#include "daemon/stream/iq_ring_private.h"

uint64_t iq_reader_join_near(struct iq_reader *reader, struct iq_ring *r, uint64_t position,
                             bool holds)
{
    uv_mutex_lock(&r->lock);
    const uint64_t oldest = iq_ring_oldest(r);
    if (position > r->head)
        position = r->head;
    if (position < oldest)
        position = oldest;
    *reader = (struct iq_reader){.next = r->readers, .position = position, .holds = holds};
    r->readers = reader;
    uv_mutex_unlock(&r->lock);
    return position;
}

uint64_t iq_reader_take(struct iq_reader *reader, struct iq_ring *r, uint64_t position)
{
    uv_mutex_lock(&r->lock);
    const uint64_t overtaken = reader->overtaken;
    reader->overtaken = 0;
    if (position > reader->position) {
        reader->position = position;
        uv_cond_broadcast(&r->changed);
    }
    uv_mutex_unlock(&r->lock);
    return overtaken;
}

/* With the lock held. */
static bool has_joined(const struct iq_ring *r, const struct iq_reader *reader)
{
    const struct iq_reader *at = r->readers;
    while (at && at != reader)
        at = at->next;
    return at != NULL;
}

static uint64_t reached(const struct iq_ring *r, const struct iq_reader *ahead, bool *final)
{
    const bool joined = has_joined(r, ahead);
    *final = r->closed && !joined;
    return joined ? ahead->position : r->head;
}

uint64_t iq_ring_follow(struct iq_ring *r, const struct iq_reader *ahead, uint64_t position,
                        int timeout_ms, bool *final)
{
    const uint64_t until = clock_after_ms(timeout_ms);
    uv_mutex_lock(&r->lock);
    uint64_t end = reached(r, ahead, final);
    while (end < position && !*final && clock_wait(&r->changed, &r->lock, until))
        end = reached(r, ahead, final);
    uv_mutex_unlock(&r->lock);
    return end;
}

uint64_t iq_ring_find_mark(struct iq_ring *r, uint64_t position, struct iq_mark *before,
                           uint64_t *since)
{
    uv_mutex_lock(&r->lock);
    const uint64_t number = mark_log_find(&r->log, position, before, since);
    uv_mutex_unlock(&r->lock);
    return number;
}

bool iq_ring_read_mark(struct iq_ring *r, uint64_t *number, struct iq_mark *out)
{
    uv_mutex_lock(&r->lock);
    const bool found = mark_log_read(&r->log, number, out);
    uv_mutex_unlock(&r->lock);
    return found;
}
