/* view_trace.c - keeps clients' traces as lines. */
#include "daemon/client/view_trace.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Of one trace of n bins. */
static size_t trace_bytes(uint32_t n)
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

static void update(struct view_trace *t, const struct line *line)
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

static void finish(struct view_trace *t)
{
    drop_line(t);
    trace_finish(&t->trace);
}

static bool has_room(const struct view_traces *all, uint32_t n, size_t more)
{
    size_t count = more;
    for (const struct view_trace *t = all->first; t; t = t->next)
        count++;
    return count * trace_bytes(n) <= VIEW_TRACES_BUDGET;
}

void view_traces_update(struct view_traces *all, const struct line *line)
{
    const bool fits = has_room(all, line->n, 0);
    for (struct view_trace *t = all->first; t; t = t->next) {
        if (fits)
            update(t, line);
        else
            finish(t);
    }
}

void view_traces_drop(struct view_traces *all, struct view_trace *trace)
{
    struct view_trace **at = &all->first;
    if (!trace)
        return;
    while (*at != trace)
        at = &(*at)->next;
    *at = trace->next;
    finish(trace);
    free(trace);
}

static struct view_trace *add(struct view_traces *all, const struct view_trace_choice *choice,
                              const struct line *latest)
{
    struct view_trace *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    all->last_id += all->last_id == UINT32_MAX ? 2 : 1;
    *t = (struct view_trace){
        .next = all->first,
        .id = all->last_id,
        .detector = choice->detector,
        .trace = {.function = choice->trace.function, .count = choice->trace.count}};
    all->first = t;
    if (latest)
        update(t, latest);
    return t;
}

static bool goes_on(const struct view_trace *t, const struct view_trace_choice *choice)
{
    return t && !choice->restart && t->detector == choice->detector &&
           t->trace.function == choice->trace.function && t->trace.count == choice->trace.count;
}

int view_traces_choose(struct view_traces *all, struct view_trace *own,
                       const struct view_trace_choice *choice, const struct line *latest,
                       struct view_trace **out)
{
    *out = NULL;
    if (choice->trace.function == TRACE_CLEAR_WRITE)
        return 0;
    if (goes_on(own, choice)) {
        *out = own;
        return 0;
    }
    if (!has_room(all, latest ? latest->n : 0, 1))
        return -ENOBUFS;
    *out = add(all, choice, latest);
    return *out ? 0 : -ENOMEM;
}
