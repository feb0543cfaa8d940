/* frame_log.c - a ring of frames that begins with a complete one. */
#include "daemon/hub/frame_log.h"

#include <stdlib.h>
#include <string.h>

static struct frame **slot(const struct frame_log *l, uint64_t number)
{
    return &l->frames[number % l->room];
}

static void drop_until(struct frame_log *l, uint64_t number)
{
    for (; l->first < number; l->first++) {
        struct frame *f = *slot(l, l->first);
        l->bytes -= f->size;
        *l->all_bytes -= f->size;
        frame_drop(f);
    }
}

/* The frames up to the second complete one. */
static void drop_oldest(struct frame_log *l)
{
    drop_until(l, l->runs > 1 ? l->complete[1] : l->end);
    l->runs -= l->runs > 0;
    memmove(l->complete, l->complete + 1, l->runs * sizeof *l->complete);
}

void frame_log_clear(struct frame_log *l)
{
    drop_until(l, l->end);
    l->runs = 0;
}

void frame_log_finish(struct frame_log *l)
{
    if (l->frames)
        frame_log_clear(l);
    free(l->frames);
    l->frames = NULL;
}

static bool has_room(const struct frame_log *l, size_t size)
{
    return l->end - l->first < FRAME_LOG_FRAMES && l->bytes + size <= FRAME_LOG_BYTES &&
           *l->all_bytes + size <= FRAME_LOGS_BYTES;
}

/* Doubles the ring. */
static bool grow(struct frame_log *l)
{
    if (l->frames && l->end - l->first < l->room)
        return true;
    const uint32_t room = l->room ? 2 * l->room : 16;
    struct frame **frames = calloc(room, sizeof(struct frame *));
    if (!frames)
        return false;
    for (uint64_t i = l->first; i < l->end; i++)
        frames[i % room] = *slot(l, i);
    free(l->frames);
    l->frames = frames;
    l->room = room;
    return true;
}

bool frame_log_add(struct frame_log *l, struct frame *frame, bool complete)
{
    if (complete && l->runs == FRAME_LOG_RUNS)
        drop_oldest(l);
    while (l->first < l->end && !has_room(l, frame->size))
        drop_oldest(l);
    if ((!complete && l->runs == 0) || !has_room(l, frame->size) || !grow(l)) {
        frame_drop(frame);
        return false;
    }
    if (complete)
        l->complete[l->runs++] = l->end;
    *slot(l, l->end++) = frame;
    l->bytes += frame->size;
    *l->all_bytes += frame->size;
    return true;
}

uint64_t frame_log_start(const struct frame_log *l)
{
    return l->runs > 0 ? l->complete[l->runs - 1] : l->end;
}

struct frame *frame_log_next(struct frame_log *l, uint64_t *next, uint64_t *dropped)
{
    if (*next < l->first) {
        const uint64_t start = frame_log_start(l);
        *dropped += start - *next;
        *next = start;
    }
    return *next < l->end ? frame_hold(*slot(l, (*next)++)) : NULL;
}
