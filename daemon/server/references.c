/* references.c - stored traces for clients: the list, one as a file, new ones, and removal. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/line/percentile.h"
#include "daemon/line/reference/reference_file.h"
#include "daemon/server/internal.h"

const char server_reference_path[] = "/api/v1/references/";

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

/* ---- GET -------------------------------------------------------------------------------- */

static json_t *take_to_json(const struct reference_take *t)
{
    char detector[DETECTOR_TEXT];
    return json_pack("{ss ss ss sI sI}", "name", t->name, "detector",
                     detector_text(t->detector.index, t->detector.percent, detector), "trace",
                     trace_function_name(t->trace.function), "lines", (json_int_t)t->trace.lines,
                     "wanted", (json_int_t)t->lines);
}

void answer_references(struct server *s, const struct request *r, struct answer *a)
{
    json_t *takes = json_array(), *list = NULL;
    (void)r;
    for (const struct reference_take *t = s->takes; t; t = t->next)
        json_array_append_new(takes, take_to_json(t));
    list = s->hooks.references ? reference_store_to_json(s->hooks.references) : json_array();
    answer_json(s, json_pack("{so so}", "references", list, "taking", takes),
                JSON_REAL_PRECISION(15), a);
}

void answer_reference(struct server *s, const struct request *r, struct answer *a)
{
    const char *name = r->path + strlen(server_reference_path);
    struct reference *found =
        s->hooks.references ? reference_store_find(s->hooks.references, name) : NULL;
    struct text text = {0};
    if (!found) {
        answer_text(a, 404, "%s: there is no such reference\n", r->path);
        return;
    }
    reference_write(&text, found);
    reference_drop(found);
    if (text.failed || !server_has_room(s, text.length)) {
        answer_text(a, text.failed ? 500 : 503, "%s\n", text.failed ? "no memory" : server_full);
        text_finish(&text);
        return;
    }
    *a = (struct answer){.status = 200,
                         .type = "application/octet-stream",
                         .body = body_create(text.data, text.data, text.length, &s->body_bytes)};
}

/* ---- making ----------------------------------------------------------------------------- */

static int store(struct server *s, const struct reference_take *t, const struct line *line)
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
    return err < 0 ? err : reference_store_put(s->hooks.references, r);
}

static void drop_take(struct server *s, struct reference_take *t)
{
    struct reference_take **at = &s->takes;
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
static bool add_line(struct server *s, struct reference_take *t, const struct line *line, int *err)
{
    *err = update(t, line);
    const bool comes = *err == -ENODATA
                           ? !line->dwells
                           : *err == -ENOENT && detector_is_on_demand(t->detector.index);
    if (comes && !s->wishes.refused)
        return false;
    if (*err < 0)
        return true;
    if (t->trace.lines < t->lines)
        return false;
    *err = store(s, t, line);
    return true;
}

void references_on_line(struct server *s, const struct line *line)
{
    struct reference_take *next;
    for (struct reference_take *t = s->takes; t; t = next) {
        int err;
        next = t->next;
        if (!add_line(s, t, line, &err))
            continue;
        if (err < 0)
            log_warn("the reference %s: %s", t->name, strerror(-err));
        drop_take(s, t);
    }
}

unsigned references_detectors(const struct server *s)
{
    unsigned detectors = 0;
    for (const struct reference_take *t = s->takes; t; t = t->next)
        detectors |= t->detector.percent > 0 ? 0 : 1U << t->detector.index;
    return detectors;
}

bool references_want_density(const struct server *s)
{
    const struct reference_take *t = s->takes;
    while (t && !(t->detector.percent > 0))
        t = t->next;
    return t;
}

void references_finish(struct server *s)
{
    while (s->takes)
        drop_take(s, s->takes);
}

/* ---- PUT -------------------------------------------------------------------------------- */

int reference_request_add(void *user, const char *key, const char *value, char *error,
                          size_t error_size)
{
    struct reference_request *w = user;
    double count = 0;
    const struct {
        const char *key;
        char *into;
        size_t size;
    } texts[] = {{"measure", w->measure, sizeof w->measure},
                 {"detector", w->detector, sizeof w->detector},
                 {"trace", w->trace, sizeof w->trace}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(key, texts[i].key) != 0)
            continue;
        if (texts[i].into[0] || !*value || strlen(value) >= texts[i].size)
            return reason_set(error, error_size, -EINVAL, "%s: bad value", key);
        memcpy(texts[i].into, value, strlen(value) + 1);
        return 0;
    }
    if (strcmp(key, "count") != 0)
        return reason_set(error, error_size, -EINVAL,
                          "a reference has measure, or detector, trace and count");
    if (w->count > 0 || si_parse(value, &count) < 0 || !(count >= 1 && count <= 1e6) ||
        count - (double)(uint64_t)count > 0)
        return reason_set(error, error_size, -EINVAL,
                          "count: expected a whole number from 1 to 1000000");
    w->count = (uint64_t)count;
    return 0;
}

static int parse_take(struct reference_take *t, const struct reference_request *w, char *error,
                      size_t error_size)
{
    const char *detector = w->detector[0] ? w->detector : "mean";
    int function = 0;
    while (w->trace[0] && function < TRACE_FUNCTIONS &&
           strcmp(w->trace, trace_function_name((enum trace_function)function)) != 0)
        function++;
    if (!detector_parse(detector, &t->detector.index, &t->detector.percent))
        return reason_set(error, error_size, -EINVAL,
                          "detector: expected mean, max, min, sample, median, or a percentile as "
                          "p90");
    if (function == TRACE_FUNCTIONS)
        return reason_set(error, error_size, -EINVAL, "trace: expected one of %s",
                          TRACE_FUNCTION_NAMES);
    if (function != TRACE_CLEAR_WRITE && w->count == 0)
        return reason_set(error, error_size, -EINVAL, "trace: a count of lines belongs to it");
    if (function == TRACE_CLEAR_WRITE && w->count > 1)
        return reason_set(error, error_size, -EINVAL, "count: clear-write is the newest line");
    t->trace.function = (enum trace_function)function;
    t->lines = w->count > 0 ? w->count : 1;
    t->trace.count = t->lines;
    return 0;
}

static int explain(int err, char *error, size_t error_size)
{
    if (error[0])
        return err;
    if (err == -EMFILE)
        reason_set(error, error_size, err, "there are %d references, and no more are possible",
                   REFERENCES_MAX);
    if (err == -ENOBUFS)
        reason_set(error, error_size, err, "the references have %d MiB, and no more are possible",
                   REFERENCES_BYTES_MAX >> 20);
    if (err == -E2BIG)
        reason_set(error, error_size, err, "a reference has at most %d bins", REFERENCE_BINS_MAX);
    return err;
}

/* The newest line is at hand; a trace needs the lines that come. */
static int take(struct server *s, const struct reference_take *model, char *error,
                size_t error_size)
{
    unsigned count = 0;
    struct reference_take *t = calloc(1, sizeof *t);
    const struct line *latest = s->feed.latest;
    int err = 0;
    for (const struct reference_take *other = s->takes; other; other = other->next)
        count++;
    if (!t)
        return -ENOMEM;
    *t = *model;
    t->next = s->takes;
    s->takes = t;
    const bool now =
        latest && t->trace.function == TRACE_CLEAR_WRITE &&
        (t->detector.percent > 0 ? latest->hits != NULL : has_detector(latest, t->detector.index));
    if (!now && count < TAKES_MAX)
        return 1;
    spectra_expire(s); /* they may be computed with the reference of this name */
    if (!now)
        err = reason_set(error, error_size, -EMFILE, "%d references are being made: ask again",
                         TAKES_MAX);
    else
        add_line(s, t, latest, &err);
    drop_take(s, t);
    return explain(err, error, error_size);
}

static int check_name(const struct server *s, const char *name, char *error, size_t error_size)
{
    if (!s->hooks.references)
        return reason_set(error, error_size, -ENOTSUP, "no references are possible here");
    if (strlen(name) >= REFERENCE_NAME || !measure_name_is_valid(name))
        return reason_set(error, error_size, -EINVAL, "name: expected %s", measure_name_expected);
    return 0;
}

int server_put_reference(struct server *s, const char *name,
                         const struct reference_request *request, char *error, size_t error_size)
{
    struct reference_take t = {.lines = 0};
    const int bad = check_name(s, name, error, error_size);
    if (bad < 0)
        return bad;
    memcpy(t.name, name, strlen(name) + 1);
    if (!request->measure[0]) {
        int err = parse_take(&t, request, error, error_size);
        const char *refusal = err == 0 && t.detector.percent > 0 ? density_refusal(s) : NULL;
        if (refusal)
            err = reason_set(error, error_size, -EINVAL, "detector: %s", refusal);
        err = err < 0 ? err : take(s, &t, error, error_size);
        wishes_update(s);
        return err;
    }
    if (request->detector[0] || request->trace[0] || request->count > 0)
        return reason_set(error, error_size, -EINVAL,
                          "measure: detector, trace and count are those of the measurement");
    const int err = s->hooks.measurer
                        ? measurer_store_trace(s->hooks.measurer, request->measure, name)
                        : -ENOENT;
    if (err == -ENOENT)
        reason_set(error, error_size, err, "there is no measurement %s", request->measure);
    return err < 0 ? err : 1;
}

int server_store_view(struct server *s, const struct feed_slot *view, const char *name, char *error,
                      size_t error_size)
{
    const struct view_trace *t = view->trace;
    const struct line *latest = s->feed.latest;
    char detector[DETECTOR_TEXT];
    struct reference *r;
    int err = check_name(s, name, error, error_size);
    if (err < 0)
        return err;
    if (!view->view)
        return reason_set(error, error_size, -ENOENT, "the slot has no view");
    if (!latest || (t && (t->trace.lines == 0 || t->trace.n != latest->n)))
        return reason_set(error, error_size, -ENODATA, "the view has no line yet");
    const unsigned index = t ? t->detector : feed_slot_detector(view);
    const enum trace_function function = t ? t->trace.function : TRACE_CLEAR_WRITE;
    if (!t && !(latest->detectors & 1U << index))
        return reason_set(error, error_size, -ENODATA, "the detector is not computed");
    const struct reference_source source = {.name = name,
                                            .detector =
                                                detector_text(index, t ? t->percent : 0, detector),
                                            .trace = trace_function_name(function),
                                            .lines = t ? t->trace.lines : 1,
                                            .line = latest,
                                            .power = t ? t->trace.power : latest->detector[index]};
    err = reference_create(&r, &source);
    if (err == 0)
        err = reference_store_put(s->hooks.references, r);
    spectra_expire(s); /* they may be computed with the reference of this name */
    return explain(err, error, error_size);
}

int server_remove_reference(struct server *s, const char *name, char *error, size_t error_size)
{
    const int err =
        s->hooks.references ? reference_store_remove(s->hooks.references, name) : -ENOENT;
    spectra_expire(s);
    if (err == -ENOENT)
        reason_set(error, error_size, err, "there is no such reference");
    return err;
}
