/* viewers.c - keeps what viewers want, and sends it. */
#include "daemon/hub/serve/viewers.h"

#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/hub/serve/hub_service.h"
#include "daemon/hub/serve/viewer.h"
#include "daemon/hub/serve/viewer_request.h"
#include "daemon/live/client_queue.h"
#include "daemon/live/client_send.h"
#include "daemon/wire/ws_message.h"

static struct hub_service *service_of(const struct client *c)
{
    return c->all->user;
}

static void join(struct client *c)
{
    lws_callback_on_writable(c->wsi);
}

/* ---- who wants a radio ------------------------------------------------------------------- */

static void list_wanted(struct hub_service *h, struct client *c)
{
    for (uint32_t i = 0; i < viewer_of(c)->count; i++) {
        struct hub_wanted *w = &viewer_of(c)->wanted[i];
        struct hub_wanted **first = &h->wanted[radios_place(w->id)];
        w->client = c;
        w->after = *first;
        w->link = first;
        if (*first)
            (*first)->link = &w->after;
        *first = w;
    }
}

static void unlist_wanted(const struct client *c)
{
    for (uint32_t i = 0; i < viewer_of(c)->count; i++) {
        const struct hub_wanted *w = &viewer_of(c)->wanted[i];
        *w->link = w->after;
        if (w->after)
            w->after->link = w->link;
    }
}

void viewers_mark_pending(struct hub_service *h)
{
    for (uint32_t i = 0; i < h->radios.used; i++) {
        struct radio *radio = h->radios.all[i];
        if (!radio || radio->sent == radio->log.end)
            continue;
        radio->sent = radio->log.end;
        for (const struct hub_wanted *w = h->wanted[i]; w; w = w->after)
            client_send_soon(w->client);
    }
}

static void leave(struct client *c)
{
    hub_requests_forget(&service_of(c)->requests, c);
    unlist_wanted(c);
}

/* ---- sending ----------------------------------------------------------------------------- */

static bool has_frames(const struct hub_service *h, const struct viewer *v)
{
    for (uint32_t i = 0; i < v->count; i++) {
        const struct radio *radio = radios_find(&h->radios, v->wanted[i].id);
        if (radio && v->wanted[i].at.next < radio->log.end)
            return true;
    }
    return false;
}

static bool rows_are_pending(const struct hub_service *h, const struct viewer *v)
{
    return v->count > 0 && v->round != h->list.round;
}

static bool has_output(struct client *c)
{
    const struct hub_service *h = service_of(c);
    const struct viewer *v = viewer_of(c);
    return v->list_number != h->list.number || rows_are_pending(h, v) || has_frames(h, v);
}

/* Told with a list at the earliest, so every 2 s or seldomer. */
static struct ws_message *next_list(struct hub_service *h, struct viewer *v)
{
    if (v->dropped != v->dropped_sent) {
        v->dropped_sent = v->dropped;
        return ws_message_from_json(
            json_pack("{ss so}", "type", "dropped", "frames", count_to_json(v->dropped)));
    }
    const uint64_t had = v->list_number;
    v->list_number = h->list.number;
    return radio_list_message(&h->list, had);
}

static struct ws_message *next_rows(struct hub_service *h, struct viewer *v)
{
    uint32_t ids[VIEWER_RADIOS];
    for (uint32_t i = 0; i < v->count; i++)
        ids[i] = v->wanted[i].id;
    v->round = h->list.round;
    return radio_list_rows(&h->list, &h->radios, ids, v->count, clock_unix_ns());
}

/* The radios take turns, one frame each. */
static struct ws_message *next_of_radios(struct hub_service *h, struct viewer *v)
{
    for (uint32_t i = 0; i < v->count; i++) {
        const uint32_t at = (v->turn + i) % v->count;
        const uint64_t before = v->dropped;
        struct radio *radio = radios_find(&h->radios, v->wanted[at].id);
        struct ws_message *f =
            radio ? frame_log_next(&radio->log, &v->wanted[at].at, &v->dropped) : NULL;
        h->dropped += v->dropped - before;
        if (!f)
            continue;
        v->turn = at + 1;
        h->frames++;
        h->bytes += f->size;
        return f;
    }
    return NULL;
}

static struct ws_message *next_frame(struct client *c)
{
    struct hub_service *h = service_of(c);
    struct viewer *v = viewer_of(c);
    if (v->list_number != h->list.number)
        return next_list(h, v);
    return rows_are_pending(h, v) ? next_rows(h, v) : next_of_radios(h, v);
}

/* ---- messages ---------------------------------------------------------------------------- */

static int welcome(struct client *c, const struct viewer_message *w)
{
    struct reason why = {0};
    c->welcomed = true;
    if (client_login(c, w->kind == VIEWER_HELLO ? w->token : NULL, &why) < 0 &&
        client_queue_error(c, why.sentence) < 0)
        return -1;
    c->control = c->control || !c->all->http->login.token.set; /* the sensors' tokens decide */
    return client_queue_message(
        c, json_pack("{ss ss sb s{si si si}}", "type", "welcome", "version", FFTD_VERSION,
                     "control", c->control, "limits", "radios", VIEWER_RADIOS, "message_bytes",
                     WIRE_MESSAGE_MAX, "messages_per_second", CLIENT_MESSAGES_PER_S));
}

/* A radio that it wanted before goes on, a new one begins in the past that is asked for. */
static struct frame_cursor find_start(const struct viewer *v, const struct radio *radio,
                                      const struct viewer_message *w)
{
    for (uint32_t i = 0; i < v->count && !w->again; i++)
        if (v->wanted[i].id == radio->id)
            return v->wanted[i].at;
    return frame_log_start(&radio->log, clock_unix_ns(), (int64_t)(w->past_s * 1e9));
}

static bool wants(const struct viewer *v, uint32_t id)
{
    for (uint32_t i = 0; i < v->count; i++)
        if (v->wanted[i].id == id)
            return true;
    return false;
}

static int want(struct client *c, const struct viewer_message *w)
{
    struct reason why = {0};
    struct viewer next = *viewer_of(c);
    for (next.count = 0; next.count < w->count; next.count++) {
        const struct radio *radio = radios_find(&service_of(c)->radios, w->radios[next.count]);
        if (!radio) {
            reason_set(&why, 0, "want: there is no radio %u", w->radios[next.count]);
            return client_queue_error(c, why.sentence);
        }
        next.wanted[next.count].id = radio->id;
        next.wanted[next.count].at = find_start(viewer_of(c), radio, w);
    }
    for (uint32_t i = 0; i < viewer_of(c)->count; i++)
        if (!wants(&next, viewer_of(c)->wanted[i].id))
            radio_list_recall(&service_of(c)->list, viewer_of(c)->wanted[i].id);
    next.turn = 0;
    next.round = 0;
    unlist_wanted(c);
    *viewer_of(c) = next;
    list_wanted(service_of(c), c);
    /* It goes out before any frame of the new cursors. */
    return w->serial ? client_queue_message(
                           c, json_pack("{ss sO}", "type", "wanted", "serial", w->serial))
                     : 0;
}

static int handle(struct client *c, const struct viewer_message *w)
{
    const bool first = !c->welcomed;
    if (first && welcome(c, w) < 0)
        return -1;
    if (w->kind == VIEWER_WANT)
        return want(c, w);
    if (w->kind == VIEWER_CALL)
        return viewer_request(c, w);
    return first ? 0 : client_queue_error(c, "hello must be the first message");
}

static int on_message(struct client *c)
{
    struct viewer_message w;
    struct reason why = {0};
    int err = viewer_message_read(&w, c->message, c->size, &why);
    if (err < 0)
        err =
            w.id ? viewer_request_refuse(c, w.id, 400, &why) : client_queue_error(c, why.sentence);
    else
        err = handle(c, &w);
    viewer_message_finish(&w);
    return err;
}

const struct client_role viewers_role = {.state = sizeof(struct viewer),
                                         .join = join,
                                         .leave = leave,
                                         .has_output = has_output,
                                         .next_frame = next_frame,
                                         .on_message = on_message};
