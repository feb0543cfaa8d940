/* position.c - finds the segment, the byte and the time of a position in a recording. */
#include "daemon/source/file/recording_source.h"

#include "daemon/base/unix_time.h"

/* The first segment, or that of the last call if the position is not before it. */
static void start_at(struct recording *r, uint64_t position)
{
    struct recording_place *p = &r->place;
    if (p->steps > 0 && position >= p->first && p->segment < r->count)
        return;
    *p = (struct recording_place){.dated = r->segments[0].has_time, .steps = p->steps + 1};
}

static void pass_segment(struct recording *r)
{
    struct recording_place *p = &r->place;
    const struct recording_segment *s = &r->segments[p->segment];
    p->first += s->samples;
    p->since += s->samples + s[1].lost;
    p->segment++;
    p->steps++;
    if (s[1].has_time) {
        p->dated = true;
        p->date = p->segment;
        p->since = 0;
    }
}

/* The segment that contains the position, or the last one; *before: samples before the segment. */
static size_t find_segment(struct recording *r, uint64_t position, uint64_t *before)
{
    struct recording_place *p = &r->place;
    start_at(r, position);
    while (p->segment + 1 < r->count && position - p->first >= r->segments[p->segment].samples)
        pass_segment(r);
    *before = p->first;
    return p->segment;
}

size_t recording_skip_to(struct recording *r, uint64_t position, uint64_t *left)
{
    const uint64_t size = recording_sample_bytes(r);
    uint64_t before, skip = 0;
    const size_t segment = find_segment(r, position, &before);
    for (size_t i = 0; i <= segment; i++)
        skip += r->segments[i].skip_bytes;
    *left = r->segments[segment].samples;
    if (*left != RECORDING_TO_END)
        *left -= position - before;
    byte_stream_skip(&r->bytes, skip + position * size);
    return segment;
}

bool recording_time(struct recording *r, uint64_t position, int64_t *time_ns)
{
    uint64_t before;
    find_segment(r, position, &before);
    const struct recording_place *p = &r->place;
    if (!p->dated)
        return false;
    const double since = (double)(p->since + (position - before));
    *time_ns = unix_time_after(r->segments[p->date].time_ns, since / r->rate_hz);
    return true;
}
