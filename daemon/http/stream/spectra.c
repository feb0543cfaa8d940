/* spectra.c - keeps the requested spectra, renders them on a thread of the pool, and shares them.
 */
#include "daemon/http/stream/spectra.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/client/feed.h"
#include "daemon/http/accept.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/answer/pending.h"
#include "daemon/http/http_server.h"
#include "daemon/http/stream/demand.h"
#include "daemon/http/stream/density_service.h"
#include "daemon/http/stream/history_service.h"
#include "daemon/http/stream/history_text.h"

enum state { QUEUED, RUNNING, DONE };

struct spectrum {
    struct answer_source source;
    struct spectrum *next;
    struct spectra *all;
    struct spectrum_query query;
    enum state state;
    uint64_t asked_ns; /* the first request for it */
    struct pending_answer *waiting;
    struct body *body; /* when done; NULL: failed, see err */
    /* while it runs: of the pool's thread */
    struct line *line;                     /* a reference */
    struct calibration_table *calibration; /* a reference */
    struct reference *reference;           /* a reference; NULL: none */
    struct reason why;
    struct density density; /* a copy, if it is requested */
    struct text text;
    int err;             /* -ENOBUFS: too many bytes wait to be read */
    const char *refusal; /* with -ENOTSUP: why */
};

/* ---- entries ---------------------------------------------------------------------------- */

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_rows(const struct history_query *a, const struct history_query *b)
{
    return same_number(a->low_hz, b->low_hz) && same_number(a->high_hz, b->high_hz) &&
           a->columns == b->columns && a->detector == b->detector && a->before == b->before &&
           a->from_ns == b->from_ns && a->to_ns == b->to_ns && a->rows == b->rows &&
           a->lines == b->lines;
}

static bool same_query(const struct spectrum_query *a, const struct spectrum_query *b)
{
    if (a->history || b->history)
        return a->history == b->history && a->binary == b->binary && a->gzip == b->gzip &&
               same_rows(&a->rows, &b->rows);
    if (a->density || b->density)
        return a->density == b->density && a->png == b->png && a->gzip == b->gzip &&
               !(a->persistence_s < b->persistence_s || a->persistence_s > b->persistence_s);
    return a->csv == b->csv && a->gzip == b->gzip && view_same(&a->view, &b->view);
}

static void free_entry(struct spectrum *entry)
{
    body_unref(entry->body);
    text_finish(&entry->text);
    density_finish(&entry->density);
    free(entry);
}

static void remove_entry(struct spectra *s, struct spectrum *entry)
{
    struct spectrum **at = &s->entries;
    while (*at != entry)
        at = &(*at)->next;
    *at = entry->next;
    free_entry(entry);
}

static struct spectrum *find_entry(const struct spectra *s, const struct spectrum_query *query)
{
    struct spectrum *entry = s->entries;
    while (entry && !same_query(&entry->query, query))
        entry = entry->next;
    return entry;
}

static struct spectrum *add_entry(struct spectra *s, const struct spectrum_query *query)
{
    struct spectrum **at = &s->entries;
    struct spectrum *entry = calloc(1, sizeof *entry);
    if (!entry)
        return NULL;
    entry->all = s;
    entry->query = *query;
    entry->asked_ns = clock_now_ns();
    while (*at)
        at = &(*at)->next;
    *at = entry;
    return entry;
}

/* Removes the entries in front that are done, but for the newest `kept`. */
static void remove_done(struct spectra *s, unsigned kept)
{
    struct spectrum *next;
    unsigned done = 0;
    for (const struct spectrum *entry = s->entries; entry; entry = entry->next)
        done += entry->state == DONE;
    for (struct spectrum *entry = s->entries; entry && done > kept; entry = next) {
        next = entry->next;
        if (entry->state != DONE)
            continue;
        remove_entry(entry->all, entry);
        done--;
    }
}

/* ---- the answer ------------------------------------------------------------------------- */

static const char *type_of(const struct spectrum_query *query)
{
    if (query->png)
        return "image/png";
    if (query->binary)
        return "application/octet-stream";
    return query->csv ? "text/csv; charset=utf-8" : "application/json";
}

static void detach(struct spectrum *entry, struct pending_answer *out)
{
    struct pending_answer **at = &entry->waiting;
    while (*at != out)
        at = &(*at)->next;
    *at = out->next;
}

static void answer_waiting(struct spectrum *entry)
{
    while (entry->waiting) {
        struct pending_answer *out = entry->waiting;
        struct answer a = {.status = 200,
                           .type = type_of(&entry->query),
                           .vary = "Accept, Accept-Encoding",
                           .encoding = entry->query.gzip ? "gzip" : NULL,
                           .body = body_ref(entry->body)};
        if (entry->why.sentence[0])
            answer_reason(&a, 409, &entry->why);
        else if (entry->err == -ENOTSUP)
            answer_fault(&a, 503, "%s", entry->refusal);
        else if (entry->err == -ETIMEDOUT)
            answer_fault(&a, 503, "no line with this has come for %d s", SPECTRUM_PATIENCE_S);
        else if (entry->err == -ENODATA) /* the newest line is another one than when it was asked */
            answer_fault(&a, 503, "the newest line does not have this: ask again");
        else if (entry->err == -ENOBUFS)
            answer_fault(&a, 503, "%s", body_does_not_fit);
        else if (!entry->body)
            answer_fault(&a, 500, "%s", strerror(-entry->err));
        detach(entry, out);
        pending_come(out, &a);
    }
}

/* ---- rendering -------------------------------------------------------------------------- */

static void write_history(struct spectrum *entry)
{
    const struct past_source past = history_service_source(entry->all->history, entry->line);
    const struct spectrum_query *query = &entry->query;
    entry->err = history_write(&entry->text, &past, &query->rows, query->binary);
    if (entry->err == 0 && query->gzip)
        entry->err = spectrum_compress(&entry->text);
}

static void on_pool(uv_work_t *work)
{
    struct spectrum *entry = work->data;
    if (entry->query.history) {
        write_history(entry);
        return;
    }
    if (entry->query.density) {
        if (entry->err == 0)
            entry->err = spectrum_write_density(&entry->text, &entry->query, &entry->density);
        return;
    }
    const struct view *v = &entry->query.view;
    if (entry->err == 0 && !(v->percent > 0) && !(entry->line->detectors & 1U << v->detector))
        entry->err = -ENODATA;
    if (entry->err == 0)
        entry->err = spectrum_write(&entry->text, &entry->query, entry->line, entry->calibration,
                                    entry->reference, &entry->why);
}

static void start_next(struct spectra *s);

static void take_text(struct spectrum *entry)
{
    struct http_server *http = entry->all->http;
    struct text *text = &entry->text;
    if (!body_fits(http, text->length)) {
        entry->err = -ENOBUFS;
        return;
    }
    entry->body = body_create(text->data, text->data, text->length, &http->body_bytes);
    entry->err = entry->body ? 0 : -ENOMEM;
    *text = (struct text){0};
}

static void on_done(uv_work_t *work, int status)
{
    (void)status; /* nobody cancels the work */
    struct spectrum *entry = work->data;
    struct spectra *s = entry->all;
    const bool expired = entry->line != s->feed->latest;
    line_unref(s->lines, entry->line);
    calibration_table_unref(entry->calibration);
    reference_unref(entry->reference);
    entry->reference = NULL;
    s->running = NULL;
    s->total++;
    entry->line = NULL;
    entry->calibration = NULL;
    density_finish(&entry->density);
    entry->state = DONE;
    if (entry->err == 0)
        take_text(entry);
    answer_waiting(entry);
    if (expired || !entry->body || s->http->stopping)
        remove_entry(entry->all, entry);
    remove_done(s, SPECTRA_DONE_MAX);
    start_next(s);
}

/* The loop goes on counting while a thread of the pool writes. */
static int copy_density(struct spectrum *entry)
{
    const struct density *density =
        density_service_ask(entry->all->density, entry->query.persistence_s);
    return density && density->lines > 0 ? density_copy(&entry->density, density) : -ENODATA;
}

static int hold_reference(struct spectrum *entry)
{
    const struct view *v = &entry->query.view;
    struct reference_store *store = entry->all->references;
    if (v->math == MATH_NONE)
        return 0;
    entry->reference = store ? reference_store_find(store, v->reference) : NULL;
    return entry->reference
               ? 0
               : reason_set(&entry->why, -ENOENT, "there is no reference %s", v->reference);
}

/*
 * Whether what it asks for is there. Density and some detectors are computed while somebody asks
 * for them: the first request waits for the next line.
 */
static bool is_ready(const struct spectrum *entry)
{
    const struct spectrum_query *query = &entry->query;
    if (query->history)
        return true;
    if (query->density) {
        const struct density *density =
            density_service_ask(entry->all->density, query->persistence_s);
        return density && density->lines > 0;
    }
    return query->view.percent > 0 ? demand_ask_density(entry->all->demand)
                                   : demand_ask_detector(entry->all->demand, query->view.detector);
}

static void start_next(struct spectra *s)
{
    struct spectrum *entry = s->entries;
    while (entry && (entry->state != QUEUED || !is_ready(entry)))
        entry = entry->next;
    if (!entry || s->running || s->http->stopping)
        return;
    s->running = entry;
    s->work.data = entry;
    entry->state = RUNNING;
    entry->line = s->feed->latest;
    line_ref(entry->line);
    entry->calibration = active_calibration_ref(s->active_calibration);
    entry->err = entry->query.density ? copy_density(entry) : hold_reference(entry);
    const int err = uv_queue_work(s->http->loop, &s->work, on_pool, on_done);
    assert(err == 0); /* it fails without a function to call only */
    (void)err;
}

/* ---- requests --------------------------------------------------------------------------- */

static struct spectrum *entry_of(struct answer_source *source)
{
    return (struct spectrum *)(void *)((char *)source - offsetof(struct spectrum, source));
}

/* Answers `out` now or when the entry is done. */
static void wait_for(struct answer_source *source, struct pending_answer *out)
{
    struct spectrum *entry = entry_of(source);
    out->next = entry->waiting;
    entry->waiting = out;
    if (entry->state == DONE)
        answer_waiting(entry);
    start_next(entry->all);
}

static void leave(struct answer_source *source, struct pending_answer *out)
{
    struct spectrum *entry = entry_of(source);
    detach(entry, out);
    if (!entry->waiting && entry->state == QUEUED)
        remove_entry(entry->all, entry);
}

struct answer_source *spectra_request(struct spectra *s, const struct spectrum_query *query)
{
    struct spectrum *entry = find_entry(s, query);
    if (!entry)
        entry = add_entry(s, query);
    if (!entry)
        return NULL;
    entry->source = (struct answer_source){.wait = wait_for, .leave = leave};
    return &entry->source;
}

/* Answers those that wait, who get nothing. */
static void give_up(struct spectra *s, struct spectrum *entry, int err)
{
    entry->state = DONE;
    entry->err = err;
    answer_waiting(entry);
    remove_entry(s, entry);
}

static bool needs_density(const struct spectrum *entry)
{
    return entry->query.density || entry->query.view.percent > 0;
}

/* -ENOTSUP: a sweep has begun, so a density will not come. -ETIMEDOUT: no line came, of a paused
 * replay or of a radio that is gone. 0: it may be answered. */
static int check_wait(struct spectrum *entry, uint64_t now)
{
    if (entry->state != QUEUED)
        return 0;
    if (needs_density(entry) && (entry->refusal = demand_refuse_density(entry->all->demand)))
        return -ENOTSUP;
    const bool late = now - entry->asked_ns >= (uint64_t)SPECTRUM_PATIENCE_S * 1000000000;
    return late && !is_ready(entry) ? -ETIMEDOUT : 0;
}

static void give_up_vain(struct spectra *s)
{
    struct spectrum *next;
    const uint64_t now = clock_now_ns();
    for (struct spectrum *entry = s->entries; entry; entry = next) {
        next = entry->next;
        const int err = check_wait(entry, now);
        if (err < 0)
            give_up(s, entry, err);
    }
}

void spectra_on_line(struct spectra *s)
{
    remove_done(s, 0);
    give_up_vain(s);
    start_next(s);
}

void spectra_on_tick(struct spectra *s)
{
    give_up_vain(s);
}

void spectra_finish(struct spectra *s)
{
    struct spectrum *next;
    for (struct spectrum *entry = s->entries; entry; entry = next) {
        next = entry->next;
        free_entry(entry);
    }
    s->entries = NULL;
}

void spectra_answer(void *spectra, const struct request *r, struct answer *a)
{
    struct spectra *s = spectra;
    const struct line *line = s->feed->latest;
    const char *refusal =
        demand_refuse_density(s->demand); /* percentiles are those of the density */
    struct reason why = {0};
    struct spectrum_query query = {
        .view = {.low_hz = NAN, .high_hz = NAN, .columns = SPECTRUM_COLUMNS_MAX},
        .csv = accept_prefers(r->accept, "text/csv", "application/json"),
        .gzip = r->gzip};
    if (spectrum_parse(&query, &r->query, &why) < 0)
        answer_reason(a, 400, &why);
    else if (!line)
        answer_fault(a, 503, "there is no line yet");
    else if (!view_meets(&query.view, line))
        answer_fault(a, 416, "low_hz to high_hz is not within the span of %.0f Hz to %.0f Hz",
                     line_low_hz(line), line_low_hz(line) + line->n * line_bin_hz(line));
    else if (query.view.percent > 0 && refusal)
        answer_fault(a, 503, "%s", refusal);
    else if (!(query.view.percent > 0) && !detector_is_on_demand(query.view.detector) &&
             !(line->detectors & 1U << query.view.detector))
        answer_fault(a, 404, "the detector %s is not computed", detector_name(query.view.detector));
    else if (!(a->source = spectra_request(s, &query)))
        answer_fault(a, 500, "no memory");
}
