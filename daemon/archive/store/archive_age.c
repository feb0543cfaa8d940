/* archive_age.c - goes back through the segments of each tier, from the one that was written last.
 */
#include "daemon/archive/store/archive_age.h"

#include <stdlib.h>

#include "daemon/files/age_clock.h"

/* Of another tier, before this one's newest row; a longer time is that of a wrong clock. */
static const uint64_t lag_max_ns = UINT64_C(10) * 365 * 86400 * 1000000000;

/* a - b; 0 if it is less. */
static uint64_t since(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : 0;
}

static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static int by_writing(const void *a, const void *b)
{
    const struct archive_aged *sa = a, *sb = b;
    if (sa->period_ns != sb->period_ns)
        return sa->period_ns < sb->period_ns ? -1 : 1;
    return sa->id < sb->id ? -1 : sa->id > sb->id;
}

static int by_age(const void *a, const void *b)
{
    const struct archive_aged *sa = a, *sb = b;
    if (sa->age_ns != sb->age_ns)
        return sa->age_ns > sb->age_ns ? -1 : 1;
    return sa->id < sb->id ? -1 : sa->id > sb->id;
}

/* From the end of one to the end of the next that was written. */
static uint64_t step(const struct archive_aged *one, const struct archive_aged *next)
{
    const uint64_t duration = since(next->last_ns, next->first_ns);
    const bool back = next->last_ns < one->last_ns;
    const bool leap = since(next->first_ns, one->last_ns) > (uint64_t)AGE_CLOCK_GAP_NS;
    return back || leap ? duration : since(next->last_ns, one->last_ns);
}

static void limit(struct archive_aged *s, int64_t now_ns)
{
    const uint64_t most = since(now_ns, s->last_ns);
    if (s->last_ns <= now_ns && s->age_ns > most)
        s->age_ns = most;
}

/* [count] of one tier in the order of writing. newest_ns: end of the newest row of all tiers. */
static void count_tier(struct archive_aged *list, size_t count, int64_t newest_ns, int64_t now_ns)
{
    const int64_t from_ns = newest_ns < now_ns ? newest_ns : now_ns;
    const uint64_t lag = since(from_ns, list[count - 1].last_ns);
    uint64_t age = lag <= lag_max_ns ? lag : 0;
    for (size_t i = count; i-- > 0;) {
        if (i + 1 < count)
            age = add(age, step(&list[i], &list[i + 1]));
        list[i].age_ns = age;
        limit(&list[i], now_ns);
    }
}

void archive_age_sort(struct archive_aged *list, size_t count, int64_t now_ns)
{
    size_t newest = 0;
    if (count == 0)
        return;
    qsort(list, count, sizeof *list, by_writing);
    for (size_t i = 1; i < count; i++)
        newest = list[i].id > list[newest].id ? i : newest;
    const int64_t newest_ns = list[newest].last_ns;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && list[end].period_ns == list[first].period_ns;)
            end++;
        count_tier(list + first, end - first, newest_ns, now_ns);
    }
    qsort(list, count, sizeof *list, by_age);
}
