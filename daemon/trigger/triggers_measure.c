/* triggers_measure.c - gives the results of measurements to the triggers that they decide. */
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/trigger/triggers_private.h"

enum { WAIT_MS = 100, START_S = 30 };

static bool is_wanted(const struct triggers *t)
{
    bool wanted = false;
    for (size_t i = 0; i < t->count; i++)
        wanted = wanted || t->trigger[i].setup->ops->judge;
    return wanted && t->config.feed;
}

static void remove_first(struct triggers *t)
{
    t->waits--;
    memmove(&t->wait[0], &t->wait[1], t->waits * sizeof t->wait[0]);
}

static void add_result(struct triggers *t, const struct line *line, struct measure_snapshot *s)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->trigger[i].setup->ops->judge)
            trigger_add_result(&t->trigger[i], line, s);
    measure_snapshot_drop(s);
}

/*
 * In replay, waits until the measure thread has passed the line: it reads every line from its first
 * one on. A thread that starts later than this line may need the lines that this thread holds up:
 * without any line yet, it is given START_S.
 */
static enum feed_news take(struct triggers *t, uint64_t line, struct measure_snapshot **out)
{
    const uint64_t until = clock_after_ms(START_S * 1000);
    enum feed_news news = measure_feed_take(t->config.feed, line, 0, out);
    while (t->config.lossless && news == FEED_LATER && !atomic_load(&t->stop) &&
           (measure_feed_started(t->config.feed) || clock_now_ns() < until))
        news = measure_feed_take(t->config.feed, line, WAIT_MS, out);
    return t->config.lossless && news == FEED_LATER ? FEED_NONE : news;
}

void triggers_add_results(struct triggers *t, const struct line *line)
{
    enum feed_news news = FEED_NONE;
    if (!is_wanted(t)) {
        t->waits = 0;
        return;
    }
    if (t->waits == FEED_RESULTS)
        remove_first(t);
    if (line)
        line_copy_facts(&t->wait[t->waits++], line);
    while (t->waits > 0 && news != FEED_LATER) {
        struct measure_snapshot *s = NULL;
        news = take(t, t->wait[0].number, &s);
        if (news == FEED_LATER)
            break;
        add_result(t, &t->wait[0], s);
        remove_first(t);
    }
}
