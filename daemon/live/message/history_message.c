/* history_message.c - decides who gets rows of the history next, and has them made. */
#include "daemon/live/message/history_message.h"

#include <assert.h>

#include "daemon/http/http_server.h"
#include "daemon/http/stream/history_service.h"
#include "daemon/live/live.h"
#include "daemon/wire/history_frame.h"
#include "daemon/wire/ws_message.h"

static void on_pool(uv_work_t *work)
{
    struct history_turns *h = work->data;
    struct history_query query;
    struct history_result result;
    history_request_query(&h->request, 1, HISTORY_ROWS_MAX, &query, NULL);
    if (archive_past_read(&h->past, &query, &result) < 0)
        return;
    h->frame = history_frame_create(&result, query.detector, (uint32_t)h->request.value[HISTORY_ID],
                                    h->request.coding);
    history_result_finish(&result);
}

static void start_next(struct live *l);

/* Without memory there is no answer; the client may ask again. */
static void on_done(uv_work_t *work, int status)
{
    (void)status; /* nobody cancels the work */
    struct history_turns *h = work->data;
    struct subscriber *u = h->subscriber;
    struct ws_message *frame = h->frame;
    h->running = false;
    h->subscriber = NULL;
    h->frame = NULL;
    if (!u || !frame) {
        ws_message_unref(frame);
    } else {
        u->history.rows = frame;
        u->topic[LIVE_HISTORY].pending = true;
        lws_callback_on_writable(live_client(u)->wsi);
    }
    start_next(h->live);
}

static struct subscriber *find_next(const struct live *l)
{
    struct subscriber *found = NULL;
    for (struct client *c = l->clients.first; c; c = c->next) {
        struct subscriber *u = live_subscriber(c);
        if (u->history.turn > 0 && !u->history.rows &&
            (!found || u->history.turn < found->history.turn))
            found = u;
    }
    return found;
}

/* Makes the next answer, if none is being made. */
static void start_next(struct live *l)
{
    struct history_turns *h = &l->turns;
    const bool possible = !h->running && !l->clients.http->stopping && l->history->thread;
    struct subscriber *u = possible ? find_next(l) : NULL;
    if (!u)
        return;
    h->running = true;
    h->live = l;
    h->subscriber = u;
    h->request = u->history.request;
    h->past = history_service_source(l->history, l->feed->latest);
    h->work.data = h;
    u->history.turn = 0;
    const int err = uv_queue_work(l->clients.http->loop, &h->work, on_pool, on_done);
    assert(err == 0); /* it fails without a function to call only */
    (void)err;
}

void history_message_ask(struct subscriber *u, const struct history_request *request)
{
    u->history.request = *request;
    if (u->history.turn == 0)
        u->history.turn = ++u->live->turns.count;
    start_next(u->live);
}

struct ws_message *history_message_next(struct subscriber *u)
{
    struct ws_message *rows = u->history.rows;
    u->history.rows = NULL;
    start_next(u->live);
    return rows;
}

void history_message_leave(struct subscriber *u)
{
    struct history_turns *h = &u->live->turns;
    if (h->subscriber == u)
        h->subscriber = NULL;
    ws_message_unref(u->history.rows);
    u->history.rows = NULL;
    u->history.turn = 0;
}
