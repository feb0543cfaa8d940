/* feed_client.c - sends a client the frames of its views in rounds, as fast as its credit allows.
 */
#include <assert.h>

#include "daemon/client/feed.h"
#include "daemon/wire/coded_frame.h"

static void drop_waiting(struct feed_client *c, unsigned slot)
{
    ws_message_unref(c->round[slot]);
    c->round[slot] = NULL;
}

int feed_set_view(struct feed *f, struct feed_client *c, unsigned slot, const struct view *view,
                  uint32_t view_id, bool restart)
{
    assert(slot < FEED_SLOTS);
    const int err = feed_slot_set(f, &c->slot[slot], view, view_id, restart);
    if (err < 0)
        return err;
    drop_waiting(c, slot); /* it is of the old view */
    if (!c->credited)
        c->credit = WIRE_CREDIT_MAX;
    c->credited = true;
    return 0;
}

void feed_remove_view(struct feed *f, struct feed_client *c, unsigned slot)
{
    assert(slot < FEED_SLOTS);
    drop_waiting(c, slot);
    feed_slot_leave(f, &c->slot[slot]);
}

void feed_leave(struct feed *f, struct feed_client *c)
{
    for (unsigned slot = 0; slot < FEED_SLOTS; slot++)
        feed_remove_view(f, c, slot);
    *c = (struct feed_client){0};
}

bool feed_has_view(const struct feed_client *c)
{
    unsigned slot = 0;
    while (slot < FEED_SLOTS && !c->slot[slot].view)
        slot++;
    return slot < FEED_SLOTS;
}

/* ---- rounds ----------------------------------------------------------------------------- */

void feed_credit(struct feed_client *c, uint32_t rounds)
{
    const uint32_t capacity = WIRE_CREDIT_MAX - c->credit;
    if (c->credited)
        c->credit += rounds < capacity ? rounds : capacity;
}

/* The slot whose frame is sent next; -1: the round is over. */
static int next_slot(const struct feed_client *c)
{
    int slot = FEED_SLOTS - 1;
    while (slot >= 0 && !c->round[slot])
        slot--;
    return slot;
}

bool feed_ready(const struct feed_client *c)
{
    if (next_slot(c) >= 0)
        return true;
    for (unsigned slot = 0; slot < FEED_SLOTS && c->credit > 0; slot++) {
        if (c->slot[slot].backlog)
            return true;
    }
    return false;
}

/* Takes the frames of all slots at once, so that lines that come meanwhile do not divide them. */
static void start_round(struct feed *f, struct feed_client *c)
{
    for (unsigned slot = 0; slot < FEED_SLOTS; slot++)
        c->round[slot] = feed_slot_take(f, &c->slot[slot]);
}

struct ws_message *feed_next_frame(struct feed *f, struct feed_client *c)
{
    if (next_slot(c) < 0 && c->credit > 0)
        start_round(f, c);
    const int slot = next_slot(c);
    if (slot < 0)
        return NULL;
    struct ws_message *frame = c->round[slot];
    c->round[slot] = NULL;
    const bool more = next_slot(c) >= 0;
    coded_frame_address(frame, c->slot[slot].view_id, (unsigned)slot, more);
    c->credit -= more ? 0 : 1;
    return frame;
}
