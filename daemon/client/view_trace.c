/* view_trace.c - keeps a client's trace as a line. */
#include "daemon/client/view_trace.h"

#include <stddef.h>
#include <string.h>

size_t view_trace_bytes(uint32_t n)
{
    const struct line_shape shape = {.n = n, .detectors = FFT_DETECTOR_MEAN};
    return n * (sizeof(float) + sizeof(double)) + line_bytes(&shape);
}

/* The fields that describe a line lie together, before those of its levels. */
static void copy_description(struct line *to, const struct line *from)
{
    const size_t from_at = offsetof(struct line, number), to_at = offsetof(struct line, detectors);
    memcpy((char *)to + from_at, (const char *)from + from_at, to_at - from_at);
}

static void drop_line(struct view_trace *t)
{
    line_destroy(t->line);
    t->line = NULL;
}

void view_trace_update(struct view_trace *t, const struct line *line)
{
    const struct line_shape shape = {.n = line->n, .detectors = 1U << t->detector};
    if (t->line && !line_has_shape(t->line, &shape))
        drop_line(t);
    if (trace_update(&t->trace, line, t->detector) < 0) {
        drop_line(t);
        return;
    }
    if (!t->line && !(t->line = line_create(&shape)))
        return;
    copy_description(t->line, line);
    memcpy(t->line->detector[t->detector], t->trace.power, line->n * sizeof(float));
    line_build_pyramid(t->line);
}

void view_trace_finish(struct view_trace *t)
{
    drop_line(t);
    trace_finish(&t->trace);
}
