/* history_service.c - the message "history" and /api/v1/history: who is answered next, and what is
 * refused.
 */
#include "daemon/http/stream/history_service.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/http/internal.h"
#include "daemon/system/memory.h"
#include "daemon/wire/history_frame.h"

enum { MEMORY_SHARE = 8, REST_ROWS = 100, REST_COLUMNS = 1024 };

/* ---- start and end ---------------------------------------------------------------------- */

int history_service_start(struct server *s, struct reason *why)
{
    struct history_service *h = &s->history;
    const uint64_t most = memory_room().available / MEMORY_SHARE;
    h->bytes = s->options.history_bytes;
    if (h->bytes == 0)
        return 0;
    if (h->bytes > most) {
        h->bytes = most > HISTORY_BYTES_MIN ? most : HISTORY_BYTES_MIN;
        log_info("history: %llu MiB, an eighth of the memory that is left",
                 (unsigned long long)(h->bytes >> 20));
    }
    const int err =
        history_thread_start(&h->thread, s->hooks.lines, (size_t)h->bytes, s->hooks.lossless);
    return err < 0 ? reason_set(why, err, "history: %s", strerror(-err)) : 0;
}

void history_service_finish(struct server *s)
{
    history_thread_stop(s->history.thread);
    s->history.thread = NULL;
}

const char *history_refusal(const struct server *s)
{
    return s->history.thread ? NULL : "the server keeps no history (history = 0)";
}

struct past_source history_source(const struct server *s, const struct line *latest)
{
    const bool live = latest && latest->anchor.id == 0;
    return (struct past_source){.history = history_thread_store(s->history.thread),
                                .folder = live ? s->hooks.archive : NULL};
}

/* ---- websockets ------------------------------------------------------------------------- */

static void on_pool(uv_work_t *work)
{
    struct history_service *h = work->data;
    struct history_query query;
    struct history_result result;
    history_request_query(&h->request, 1, HISTORY_ROWS_MAX, &query, NULL);
    if (archive_past_read(&h->past, &query, &result) < 0)
        return;
    h->frame = history_frame_create(&result, query.detector, (uint32_t)h->request.value[HISTORY_ID],
                                    h->request.coding);
    history_result_finish(&result);
}

/* Without memory there is no answer; the client may ask again. */
static void on_done(uv_work_t *work, int status)
{
    (void)status; /* nobody cancels the work */
    struct history_service *h = work->data;
    struct server *s = (struct server *)(void *)((char *)h - offsetof(struct server, history));
    struct client *c = h->client;
    struct frame *frame = h->frame;
    h->running = false;
    h->client = NULL;
    h->frame = NULL;
    if (!c || !frame) {
        frame_drop(frame);
    } else {
        c->history_rows = frame;
        lws_callback_on_writable(c->wsi);
    }
    history_next(s);
}

static struct client *find_next(const struct server *s)
{
    struct client *found = NULL;
    for (struct client *c = s->clients; c; c = c->next) {
        if (c->history_turn > 0 && !c->history_rows &&
            (!found || c->history_turn < found->history_turn))
            found = c;
    }
    return found;
}

void history_next(struct server *s)
{
    struct history_service *h = &s->history;
    struct client *c = h->running || s->stopping || !h->thread ? NULL : find_next(s);
    if (!c)
        return;
    h->running = true;
    h->client = c;
    h->request = c->history;
    h->past = history_source(s, s->feed.latest);
    h->work.data = h;
    c->history_turn = 0;
    const int err = uv_queue_work(s->hooks.loop, &h->work, on_pool, on_done);
    assert(err == 0); /* it fails without a function to call only */
    (void)err;
}

void history_ask(struct client *c, const struct history_request *request)
{
    struct server *s = c->server;
    c->history = *request;
    if (c->history_turn == 0)
        c->history_turn = ++s->history.turns;
    history_next(s);
}

void history_leave(struct client *c)
{
    struct history_service *h = &c->server->history;
    if (h->client == c)
        h->client = NULL;
    frame_drop(c->history_rows);
    c->history_rows = NULL;
    c->history_turn = 0;
}

/* ---- HTTP ------------------------------------------------------------------------------- */

static int parse_number(struct history_request *request, enum history_field field, const char *text,
                        struct reason *why)
{
    double value = 0;
    if (si_parse(text, &value) < 0)
        return reason_set(why, -EINVAL, "%s: \"%s\" is not a number", history_field_name(field),
                          text);
    return history_request_set(request, field, value, why);
}

static int parse_query(struct spectrum_query *w, const struct query *q, struct reason *why)
{
    struct history_request request;
    history_request_init(&request);
    const char *detector = query_value(q, "detector");
    const char *format = query_value(q, "format");
    int err = detector ? history_request_set_detector(&request, detector, why) : 0;
    for (int i = HISTORY_COLUMNS; err == 0 && i < HISTORY_FIELDS; i++) {
        const char *text = query_value(q, history_field_name((enum history_field)i));
        if (text)
            err = parse_number(&request, (enum history_field)i, text, why);
    }
    if (err == 0 && format && strcmp(format, "json") != 0 && strcmp(format, "binary") != 0)
        err = reason_set(why, -EINVAL, "format: \"%s\" is not json or binary", format);
    w->binary = format && strcmp(format, "binary") == 0;
    return err < 0 ? err : history_request_query(&request, REST_COLUMNS, REST_ROWS, &w->rows, why);
}

void answer_history(struct server *s, const struct request *r, struct answer *a)
{
    struct reason why = {0};
    const char *refusal = history_refusal(s);
    struct spectrum_query query = {.history = true, .gzip = r->gzip};
    if (refusal)
        answer_fault(a, 404, "%s", refusal);
    else if (parse_query(&query, &r->query, &why) < 0)
        answer_fault(a, 400, "%s", why.sentence);
    else if (!s->feed.latest)
        answer_fault(a, 503, "there is no line yet");
    else if (!(a->spectrum = spectrum_request(s, &query)))
        answer_fault(a, 500, "no memory");
}
