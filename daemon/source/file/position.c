/* position.c - finds the segment, the byte and the time of a position in a recording. */
#include "daemon/source/file/recording.h"

#include <math.h>

#include "daemon/base/unix_time.h"

/* The segment that contains the position, or the last one; *before: samples before the segment. */
static size_t find_segment(const struct recording *r, uint64_t position, uint64_t *before)
{
    size_t i = 0;
    *before = 0;
    while (i + 1 < r->count && position - *before >= r->segments[i].samples)
        *before += r->segments[i++].samples;
    return i;
}

size_t recording_skip_to(struct recording *r, uint64_t position, uint64_t *left)
{
    const uint64_t size = fft_iq_bytes(r->format);
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

bool recording_time(const struct recording *r, uint64_t position, int64_t *time_ns)
{
    uint64_t before, since;
    size_t i = find_segment(r, position, &before);
    since = position - before;
    while (i > 0 && !r->segments[i].has_time) {
        since += r->segments[i].lost + r->segments[i - 1].samples;
        i--;
    }
    if (!r->segments[i].has_time)
        return false;
    *time_ns = unix_time_after(r->segments[i].time_ns, (double)since / r->rate_hz);
    return true;
}
