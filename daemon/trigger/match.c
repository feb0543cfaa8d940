/* match.c - finds spans of frames that meet a condition. */
#include "daemon/trigger/match.h"

uint64_t span_end(const struct span_finder *s)
{
    return s->last + s->n;
}

enum span_change span_break(struct span_finder *s)
{
    const enum span_change change = s->begun ? SPAN_ENDS : SPAN_NOTHING;
    s->active = s->begun = false;
    return change;
}

static enum span_change add_holding(struct span_finder *s, const struct span_frames *f)
{
    if (!s->active)
        s->start = f->position;
    s->active = true;
    s->last = f->position + (f->count - 1) * f->hop;
    s->n = f->n;
    s->hop = f->hop;
    if (s->begun || s->last - s->start < s->least)
        return SPAN_NOTHING;
    s->begun = true;
    return SPAN_BEGINS;
}

enum span_change span_add(struct span_finder *s, const struct span_frames *f)
{
    if (f->holds)
        return add_holding(s, f);
    const uint64_t newest = f->position + (f->count - 1) * f->hop;
    return s->active && newest - s->last > s->gap ? span_break(s) : SPAN_NOTHING;
}
