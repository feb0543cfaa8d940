/* match.c - finds the frames that meet a condition. */
#include "daemon/trigger/match.h"

uint64_t match_end(const struct match_finder *s)
{
    return s->last + s->n;
}

enum match_change match_break(struct match_finder *s)
{
    const enum match_change change = s->begun ? MATCH_ENDS : MATCH_NOTHING;
    s->active = s->begun = false;
    return change;
}

static enum match_change add_met(struct match_finder *s, const struct match_frames *f)
{
    if (!s->active)
        s->start = f->position;
    s->active = true;
    s->last = f->position + (f->count - 1) * f->hop;
    s->n = f->n;
    s->hop = f->hop;
    if (s->begun || s->last - s->start < s->least)
        return MATCH_NOTHING;
    s->begun = true;
    return MATCH_BEGINS;
}

enum match_change match_add(struct match_finder *s, const struct match_frames *f)
{
    if (f->met)
        return add_met(s, f);
    const uint64_t newest = f->position + (f->count - 1) * f->hop;
    return s->active && newest - s->last > s->gap ? match_break(s) : MATCH_NOTHING;
}
