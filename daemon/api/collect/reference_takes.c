/* reference_takes.c - stored traces: those that are being made of lines, new ones, and removal. */
#include "daemon/api/collect/reference_takes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/line/percentile.h"
#include "daemon/option/option_text.h"

enum { TAKES_MAX = 4 };

/* A reference that is being made: a trace of the lines that come. */
struct reference_take {
    struct reference_take *next;
    char name[REFERENCE_NAME];
    struct detector_choice detector;
    struct percentile percentile;
    struct trace trace;
    uint64_t lines; /* that it will have */
};

/* ---- as JSON ---------------------------------------------------------------------------- */

static json_t *take_to_json(const struct reference_take *t)
{
    char detector[DETECTOR_TEXT];
    return json_pack("{ss ss ss sI sI}", "name", t->name, "detector",
                     detector_text(t->detector.index, t->detector.percent, detector), "trace",
                     trace_function_name(t->trace.function), "lines", (json_int_t)t->trace.lines,
                     "wanted", (json_int_t)t->lines);
}

json_t *reference_takes_to_json(const struct reference_takes *all)
{
    json_t *takes = json_array();
    for (const struct reference_take *t = all->first; t; t = t->next)
        json_array_append_new(takes, take_to_json(t));
    json_t *list = all->store ? reference_store_to_json(all->store) : json_array();
    return json_pack("{so so}", "references", list, "taking", takes);
}

/* ---- making ----------------------------------------------------------------------------- */

static int store(struct reference_takes *all, const struct reference_take *t,
                 const struct line *line)
{
    struct reference *r;
    char detector[DETECTOR_TEXT];
    const struct reference_source source = {
        .name = t->name,
        .detector = detector_text(t->detector.index, t->detector.percent, detector),
        .trace = trace_function_name(t->trace.function),
        .lines = t->trace.lines,
        .line = line,
        .power = t->trace.power};
    const int err = reference_create(&r, &source);
    return err < 0 ? err : reference_store_put(all->store, r);
}

static void drop_take(struct reference_takes *all, struct reference_take *t)
{
    struct reference_take **at = &all->first;
    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    trace_finish(&t->trace);
    percentile_finish(&t->percentile);
    free(t);
}

/* Or it never comes, which is an error at once. */
static bool has_detector(const struct line *line, unsigned index)
{
    return line->detectors & 1U << index || !detector_is_on_demand(index);
}

static int update(struct reference_take *t, const struct line *line)
{
    if (!(t->detector.percent > 0))
        return trace_update(&t->trace, line, t->detector.index);
    const int err = percentile_update(&t->percentile, line, t->detector.percent);
    return err < 0 ? err : trace_update(&t->trace, t->percentile.line, t->detector.index);
}

/*
 * Adds a line. True: the take is complete, or failed with *err. A percentile waits for the density
 * to be counted, sample for the detector to be made.
 */
static bool add_line(struct reference_takes *all, struct reference_take *t, const struct line *line,
                     int *err)
{
    *err = update(t, line);
    const bool comes = *err == -ENODATA
                           ? !line->dwells
                           : *err == -ENOENT && detector_is_on_demand(t->detector.index);
    if (comes && !all->never_comes(all->user))
        return false;
    if (*err < 0)
        return true;
    if (t->trace.lines < t->lines)
        return false;
    *err = store(all, t, line);
    return true;
}

void reference_takes_on_line(struct reference_takes *all, const struct line *line)
{
    struct reference_take *next;
    for (struct reference_take *t = all->first; t; t = next) {
        int err;
        next = t->next;
        if (!add_line(all, t, line, &err))
            continue;
        if (err < 0)
            log_warn("the reference %s: %s", t->name, strerror(-err));
        drop_take(all, t);
    }
}

unsigned reference_takes_detectors(const struct reference_takes *all)
{
    unsigned detectors = 0;
    for (const struct reference_take *t = all->first; t; t = t->next)
        detectors |= t->detector.percent > 0 ? 0 : 1U << t->detector.index;
    return detectors;
}

bool reference_takes_want_density(const struct reference_takes *all)
{
    const struct reference_take *t = all->first;
    while (t && !(t->detector.percent > 0))
        t = t->next;
    return t;
}

void reference_takes_finish(struct reference_takes *all)
{
    while (all->first)
        drop_take(all, all->first);
}

/* ---- new ones --------------------------------------------------------------------------- */

int reference_takes_check_name(const struct reference_takes *all, const char *name,
                               struct reason *why)
{
    if (!all->store)
        return reason_set(why, -ENOTSUP, "no references are possible here");
    if (strlen(name) >= REFERENCE_NAME || !option_name_is_valid(name))
        return reason_set(why, -EINVAL, "name: expected %s", option_name_expected);
    return 0;
}

static int explain(int err, struct reason *why)
{
    if (err == -EMFILE && !why->sentence[0])
        reason_set(why, err, "there are already %d references, the maximum", REFERENCES_MAX);
    if (err == -ENOBUFS)
        reason_set(why, err, "the references already have %d MiB, the maximum",
                   REFERENCES_BYTES_MAX >> 20);
    if (err == -E2BIG)
        reason_set(why, err, "a reference has at most %d bins", REFERENCE_BINS_MAX);
    return err;
}

static int read_wanted(struct reference_take *t, const struct reference_wanted *w,
                       struct reason *why)
{
    t->detector = w->detector;
    t->trace.function = (enum trace_function)w->function;
    if (t->trace.function != TRACE_CLEAR_WRITE && w->lines == 0)
        return reason_key(why, -EINVAL, "count", "trace: a count of lines belongs to it");
    if (t->trace.function == TRACE_CLEAR_WRITE && w->lines > 1)
        return reason_key(why, -EINVAL, "count", "count: clear-write is the newest line");
    t->lines = w->lines > 0 ? w->lines : 1;
    t->trace.count = t->lines;
    return 0;
}

static unsigned count_takes(const struct reference_takes *all)
{
    unsigned count = 0;
    for (const struct reference_take *t = all->first; t; t = t->next)
        count++;
    return count;
}

/* The newest line is at hand; a trace needs the lines that come. */
static bool is_at_hand(const struct reference_take *t, const struct line *latest)
{
    return latest && t->trace.function == TRACE_CLEAR_WRITE &&
           (t->detector.percent > 0 ? latest->hits != NULL
                                    : has_detector(latest, t->detector.index));
}

int reference_takes_begin(struct reference_takes *all, const char *name,
                          const struct reference_wanted *wanted, struct reason *why)
{
    const struct line *latest = all->newest(all->user);
    struct reference_take model = {.lines = 0};
    int err = reference_takes_check_name(all, name, why);
    if (err == 0)
        err = read_wanted(&model, wanted, why);
    if (err < 0)
        return err;
    const bool now = is_at_hand(&model, latest);
    if (!now && count_takes(all) >= TAKES_MAX)
        return reason_set(why, -EMFILE, "%d references are being made: ask again", TAKES_MAX);
    struct reference_take *t = calloc(1, sizeof *t);
    if (!t)
        return -ENOMEM;
    *t = model;
    memcpy(t->name, name, strlen(name) + 1);
    t->next = all->first;
    all->first = t;
    if (!now)
        return 1;
    all->changed(all->user);
    add_line(all, t, latest, &err);
    drop_take(all, t);
    return explain(err, why);
}

int reference_takes_store(struct reference_takes *all, const struct reference_source *source,
                          struct reason *why)
{
    struct reference *r;
    int err = reference_create(&r, source);
    if (err == 0)
        err = reference_store_put(all->store, r);
    all->changed(all->user);
    return explain(err, why);
}

int reference_takes_remove(struct reference_takes *all, const char *name, struct reason *why)
{
    const int err = all->store ? reference_store_remove(all->store, name) : -ENOENT;
    all->changed(all->user);
    return err == -ENOENT ? reason_set(why, err, "there is no such reference") : err;
}
