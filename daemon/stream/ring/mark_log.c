/* mark_log.c - a bounded list of marks, each with all that is known at its position. */
#include "daemon/stream/ring/mark_log.h"

static uint64_t oldest(const struct mark_log *l)
{
    return l->end > MARK_LOG ? l->end - MARK_LOG : 0;
}

static const struct iq_mark *at(const struct mark_log *l, uint64_t number)
{
    return &l->entry[number % MARK_LOG];
}

static void inherit(struct iq_mark *mark, const struct iq_mark *before)
{
    for (int cause = 0; cause < LOSS_CAUSES; cause++) {
        mark->lost[cause] += before->lost[cause];
        mark->events[cause] += before->events[cause];
    }
    if (!mark->tuning_changed) {
        mark->tuning_changed = before->tuning_changed;
        mark->tuning = before->tuning;
        mark->gain_db = before->gain_db;
    }
    if (!mark->has_time) {
        mark->has_time = before->has_time;
        mark->undated = before->undated;
        mark->time_ns = before->time_ns;
        mark->time_number = before->time_number;
    }
}

void mark_log_add(struct mark_log *l, const struct iq_mark *mark)
{
    struct iq_mark entry = *mark;
    entry.undated = mark->anchor.set && !mark->anchor.has_time;
    if (mark->anchor.set && mark->anchor.has_time) {
        entry.has_time = true;
        entry.time_ns = mark->anchor.time_ns;
        entry.time_number = mark->sample_number;
    }
    if (l->end > 0)
        inherit(&entry, at(l, l->end - 1));
    l->entry[l->end++ % MARK_LOG] = entry;
}

uint64_t mark_log_find(const struct mark_log *l, uint64_t position, struct iq_mark *before,
                       uint64_t *since)
{
    uint64_t number = l->end;
    while (number > oldest(l) && at(l, number - 1)->position > position)
        number--;
    const bool known = number > oldest(l) || number == 0;
    *since = known ? 0 : at(l, number)->position;
    *before = number > oldest(l) ? *at(l, number - 1) : (struct iq_mark){0};
    return number;
}

bool mark_log_read(const struct mark_log *l, uint64_t *number, struct iq_mark *out)
{
    if (*number < oldest(l))
        *number = oldest(l);
    if (*number >= l->end)
        return false;
    *out = *at(l, *number);
    return true;
}
