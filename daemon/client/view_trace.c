/* view_trace.c - keeps clients' traces as lines. */
#include "daemon/client/view_trace.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"

/* Of one trace of n bins. */
static size_t trace_bytes(const struct view_trace *t, uint32_t n)
{
    const struct line_shape shape = {.n = n, .detectors = FFT_DETECTOR_MEAN};
    const size_t of_trace = n * (sizeof(float) + sizeof(double)) + line_bytes(&shape);
    return of_trace + (t->percent > 0 ? percentile_bytes(n, &t->percentile.density.shape) : 0);
}

static void drop_line(struct line **at)
{
    line_destroy(*at);
    *at = NULL;
}

/* ---- the steps from a line to the result ------------------------------------------------ */

static int apply_reference(const struct view_traces *all, struct view_trace *t, struct reason *why)
{
    if (t->math == MATH_NONE)
        return 0;
    struct reference *r =
        all->references ? reference_store_find(all->references, t->reference) : NULL;
    if (!r)
        return reason_set(why, -ERANGE, "there is no reference %s", t->reference);
    const int err = reference_apply(r, t->math, t->line, t->line->detector[t->detector], why);
    reference_unref(r);
    return err;
}

static void note_start(struct view_trace *t, const struct line *line)
{
    if (t->trace.lines != 1)
        return;
    t->first_line = line->number;
    t->changes++;
}

static int compute(const struct view_traces *all, struct view_trace *t, const struct line *line,
                   struct reason *why)
{
    const struct line *from = line;
    int err = 0;
    if (t->percent > 0) {
        err = percentile_update(&t->percentile, line, t->percent);
        from = t->percentile.line;
    }
    if (err == 0)
        err = trace_update(&t->trace, from, t->detector);
    if (err == 0)
        note_start(t, line);
    if (err == 0)
        err = line_describe(&t->line, line, t->detector);
    if (err < 0)
        return err;
    memcpy(t->line->detector[t->detector], t->trace.power, line->n * sizeof(float));
    err = apply_reference(all, t, why);
    if (err == 0)
        line_reset_pyramids(t->line);
    return err;
}

/* ---- one trace -------------------------------------------------------------------------- */

static double final_vbw_hz(const struct trace *t)
{
    return t->vbw_hz > 0 && t->lines > 0 ? trace_final_vbw_hz(t->vbw_hz, t->line_s) : NAN;
}

/* Counts the changes that clients are notified of. A line that a mark cuts short changes the VBW
 * for a moment. */
static void set_reason(struct view_trace *t, const char *reason)
{
    const double vbw_hz = final_vbw_hz(&t->trace);
    const bool same_vbw =
        (isnan(vbw_hz) && isnan(t->vbw_hz)) || fabs(vbw_hz / t->vbw_hz - 1) < 0.01;
    if (same_vbw && strcmp(reason, t->reason) == 0)
        return;
    t->vbw_hz = vbw_hz;
    snprintf(t->reason, sizeof t->reason, "%s", reason);
    t->changes++;
}

static const char *why_no_line(const struct view_trace *t, int err)
{
    if (err == -ENODATA)
        return "the density is not counted yet";
    if (err != -ENOENT)
        return "no memory for the trace";
    return detector_is_on_demand(t->detector) ? "the detector is not computed yet"
                                              : "the detector is not computed";
}

static void update(const struct view_traces *all, struct view_trace *t, const struct line *line)
{
    struct reason why = {0};
    const int err = compute(all, t, line, &why);
    if (err < 0)
        drop_line(&t->line);
    if (err == -ENODATA || (err < 0 && !why.sentence[0]))
        reason_set(&why, err, "%s", why_no_line(t, err));
    set_reason(t, why.sentence);
}

static void finish(struct view_trace *t)
{
    drop_line(&t->line);
    percentile_finish(&t->percentile);
    trace_finish(&t->trace);
}

/* ---- all of them ------------------------------------------------------------------------ */

/* more: a trace that may be added; NULL: none. */
static bool has_capacity(const struct view_traces *all, uint32_t n, const struct view_trace *more)
{
    size_t bytes = more ? trace_bytes(more, n) : 0;
    for (const struct view_trace *t = all->first; t; t = t->next)
        bytes += trace_bytes(t, n);
    return bytes <= VIEW_TRACES_BUDGET;
}

void view_traces_update(struct view_traces *all, const struct line *line)
{
    const bool fits = has_capacity(all, line->n, NULL);
    for (struct view_trace *t = all->first; t; t = t->next) {
        if (fits)
            update(all, t, line);
        else {
            finish(t);
            set_reason(t, "the traces of all clients take too much memory at this FFT size");
        }
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

static void set_up(struct view_trace *t, const struct view_trace_choice *choice)
{
    *t = (struct view_trace){.detector = choice->detector,
                             .percent = choice->percent,
                             .math = choice->math,
                             .trace = {.function = choice->trace.function,
                                       .count = choice->trace.count,
                                       .vbw_hz = choice->trace.vbw_hz},
                             .vbw_hz = NAN};
    if (choice->math != MATH_NONE)
        snprintf(t->reference, sizeof t->reference, "%s", choice->reference);
}

static struct view_trace *add(struct view_traces *all, const struct view_trace *model,
                              const struct line *latest)
{
    struct view_trace *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    all->last_id += all->last_id == UINT32_MAX ? 2 : 1;
    *t = *model;
    t->next = all->first;
    t->id = all->last_id;
    all->first = t;
    if (latest)
        update(all, t, latest);
    return t;
}

static bool same_trace(const struct trace *a, const struct trace *b)
{
    return a->function == b->function && a->count == b->count && a->vbw_hz - b->vbw_hz == 0;
}

static bool goes_on(const struct view_trace *t, const struct view_trace *model)
{
    return t && t->detector == model->detector && t->percent - model->percent == 0 &&
           t->math == model->math && strcmp(t->reference, model->reference) == 0 &&
           same_trace(&t->trace, &model->trace);
}

int view_traces_choose(struct view_traces *all, struct view_trace *own,
                       const struct view_trace_choice *choice, const struct line *latest,
                       struct view_trace **out)
{
    struct view_trace model;
    set_up(&model, choice);
    *out = NULL;
    if (choice->trace.function == TRACE_CLEAR_WRITE && choice->math == MATH_NONE &&
        !(choice->percent > 0))
        return 0;
    if (!choice->restart && goes_on(own, &model)) {
        *out = own;
        return 0;
    }
    if (!has_capacity(all, latest ? latest->n : 0, &model))
        return -ENOBUFS;
    *out = add(all, &model, latest);
    return *out ? 0 : -ENOMEM;
}

int view_line_create(struct line **out, const struct line *line,
                     const struct view_trace_choice *choice, const struct reference *reference,
                     struct reason *why)
{
    struct percentile percentile = {0};
    int err = 0;
    *out = NULL;
    if (choice->percent > 0) {
        err = percentile_update(&percentile, line, choice->percent);
        *out = percentile.line;
        percentile.line = NULL;
    } else {
        err = line_describe(out, line, choice->detector);
        if (err == 0)
            memcpy((*out)->detector[choice->detector], line->detector[choice->detector],
                   line->n * sizeof(float));
    }
    if (err == 0 && reference)
        err =
            reference_apply(reference, choice->math, line, (*out)->detector[choice->detector], why);
    percentile_finish(&percentile);
    if (err < 0)
        drop_line(out);
    else
        line_reset_pyramids(*out);
    return err;
}
