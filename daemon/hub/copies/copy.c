/* copy.c - chooses what is asked for, and joins parts. */
#include "daemon/hub/copies/copy.h"

#include "daemon/base/unix_time.h"

/* 0: it is not kept. */
static uint64_t age_of(const struct archive_tiers *hub, uint64_t period_ns)
{
    uint64_t age_ns = 0;
    for (unsigned i = 0; i < hub->count; i++)
        if (hub->tier[i].period_ns <= period_ns)
            age_ns = hub->tier[i].age_ns;
    return age_ns;
}

int copy_find_tier(const struct copy *c, uint64_t period_ns)
{
    for (unsigned i = 0; i < c->kept.count; i++)
        if (c->kept.tier[i].period_ns == period_ns)
            return (int)i;
    return -1;
}

void copy_set_offer(struct copy *c, const struct archive_offer *offer,
                    const struct archive_tiers *hub)
{
    const struct copy before = *c;
    c->kept.count = 0;
    for (uint32_t i = 0; i < offer->count; i++) {
        const uint64_t period_ns = offer->tier[i].period_ns, age_ns = age_of(hub, period_ns);
        const int had = copy_find_tier(&before, period_ns);
        if (age_ns == 0)
            continue;
        struct copy_tier *t = &c->tier[c->kept.count];
        *t = had >= 0 ? before.tier[had] : (struct copy_tier){.done_ns = INT64_MIN};
        t->newest_ns = offer->tier[i].newest_ns;
        c->kept.tier[c->kept.count++] = (struct archive_tier){period_ns, age_ns};
    }
}

int copy_wanted(const struct copy *c)
{
    const int asked = copy_find_tier(c, c->asked_ns);
    if (asked >= 0)
        return asked;
    for (int i = (int)c->kept.count - 1; i >= 0; i--)
        if (c->tier[i].newest_ns != c->tier[i].done_ns)
            return i;
    return -1;
}

void copy_ask(struct copy *c, int tier, int64_t now_ns, struct archive_ask *out)
{
    const struct copy_tier *t = &c->tier[tier];
    c->asked_ns = c->kept.tier[tier].period_ns;
    c->asked_newest_ns = t->newest_ns;
    const int64_t newest_ns = t->newest_ns < now_ns ? t->newest_ns : now_ns;
    *out = (struct archive_ask){.period_ns = c->asked_ns,
                                .from_ns =
                                    unix_time_sum(newest_ns, -(int64_t)c->kept.tier[tier].age_ns),
                                .has_after = t->has_last,
                                .after = t->last,
                                .after_place = t->place,
                                .offset = (uint32_t)c->bytes.length,
                                .checksum = c->part.id.checksum};
}

static bool is_next(const struct copy *c, const struct archive_part *p)
{
    const struct archive_part *first = &c->part;
    return p->offset == c->bytes.length &&
           (p->block_size == first->block_size && p->id.start_ns == first->id.start_ns &&
            p->id.checksum == first->id.checksum && p->place.segment == first->place.segment &&
            p->place.offset == first->place.offset);
}

enum copy_step copy_take_part(struct copy *c, const struct archive_part *p)
{
    const int tier = copy_find_tier(c, c->asked_ns);
    if (p->offset == 0)
        text_clear(&c->bytes); /* another block, or the first part of this one */
    if (tier < 0 || p->period_ns != c->asked_ns || (p->offset > 0 && !is_next(c, p))) {
        copy_drop_block(c);
        return COPY_WRONG;
    }
    if (p->block_size == 0) {
        copy_drop_block(c);
        c->tier[tier].done_ns = c->asked_newest_ns;
        return COPY_NOTHING;
    }
    c->part = *p;
    c->part.bytes = NULL;
    text_add_bytes(&c->bytes, (const char *)p->bytes, p->count);
    if (c->bytes.failed) {
        copy_drop_block(c);
        return COPY_WRONG;
    }
    return c->bytes.length == p->block_size ? COPY_WHOLE : COPY_MORE;
}

void copy_end_block(struct copy *c)
{
    const int tier = copy_find_tier(c, c->asked_ns);
    if (tier >= 0) {
        c->tier[tier].has_last = true;
        c->tier[tier].last = c->part.id;
        c->tier[tier].place = c->part.place;
    }
    copy_drop_block(c);
}

void copy_drop_block(struct copy *c)
{
    text_finish(&c->bytes);
    c->bytes = (struct text){0};
    c->asked_ns = 0;
}

void copy_finish(struct copy *c)
{
    text_finish(&c->bytes);
}
