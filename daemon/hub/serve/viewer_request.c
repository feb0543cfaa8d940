/* viewer_request.c - passes requests of viewers on to sensors, and their answers back. */
#include "daemon/hub/serve/viewer_request.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/access/peers.h"
#include "daemon/base/bytes.h"
#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/hub/serve/hub_service.h"
#include "daemon/hub/serve/remote_call.h"
#include "daemon/hub/serve/viewer.h"

enum { REQUESTS_PER_S = 2, REQUESTS_BURST = 20 }; /* of one viewer */

/* ---- answers ----------------------------------------------------------------------------- */

/* Takes over the message; NULL: no memory. */
static int tell(struct client *c, uint32_t radio, json_t *message)
{
    json_object_set_new(message, "radio", json_integer(radio));
    return client_queue_message(c, message);
}

int viewer_request_refuse(struct client *c, uint32_t radio, const char *message)
{
    struct hub_answer a;
    struct hub_service *h = c->all->user;
    h->requests.outcomes[HUB_REFUSED]++;
    hub_answer_fail(&a, HUB_REFUSED, message);
    return tell(c, radio, a.message);
}

static void on_done(void *user, const struct hub_request *request, const struct hub_answer *answer)
{
    struct client *c = request->viewer;
    if (request->is_call) {
        remote_call_done(user, request, answer);
        return;
    }
    if (!c) {
        json_decref(answer->message);
        return;
    }
    if (answer->wrong_token)
        login_count_wrong(&c->all->http->login, &c->own->address, &c->peer->address);
    /* A viewer that reads nothing is closed by libwebsockets, later: not within this call. */
    if (tell(c, request->radio, answer->message) < 0)
        lws_set_timeout(c->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
}

void viewer_request_take_answers(struct hub_service *h)
{
    struct link_reader_state link;
    hub_service_link(h, &link);
    for (struct inbox_message *m = inbox_take(h->answers); m;) {
        struct inbox_message *next = m->next;
        hub_requests_take(&h->requests, m->subject, m->data, m->size, on_done, h);
        free(m);
        m = next;
    }
    hub_requests_expire(&h->requests, clock_now_ns(), link.connected ? link.links : 0, on_done, h);
}

/* ---- requests ---------------------------------------------------------------------------- */

static bool is_within_rate(struct viewer *v)
{
    const uint64_t now = clock_now_ns();
    v->requests += (double)(now - v->requests_filled_ns) * 1e-9 * REQUESTS_PER_S;
    v->requests_filled_ns = now;
    if (v->requests > REQUESTS_BURST)
        v->requests = REQUESTS_BURST;
    if (v->requests < 1)
        return false;
    v->requests -= 1;
    return true;
}

/* Guesses of a sensor's token cost its address time, as those of the hub's own token do. */
static const char *check_viewer(struct client *c, struct reason *why)
{
    const uint32_t wait_ms =
        login_wait_ms(&c->all->http->login, &c->own->address, &c->peer->address);
    if (!c->control)
        return "requests need the control token of this hub, too";
    if (wait_ms > 0) {
        reason_set(why, 0, "too many wrong control tokens from this address: try again in %u s",
                   (wait_ms + 999) / 1000);
        return why->sentence;
    }
    return is_within_rate(viewer_of(c)) ? NULL : "too many requests: wait a moment";
}

const char *hub_request_check(const struct hub_service *h, const struct radio *radio, uint32_t id,
                              struct reason *why)
{
    struct link_reader_state link;
    hub_service_link(h, &link);
    if (!radio)
        reason_set(why, 0, "there is no radio %" PRIu32, id);
    else if (!link.connected)
        reason_set(why, 0, "the hub has no connection to its broker");
    else if (link.no_answers)
        return hub_no_answers;
    else if (radio->state == RADIO_GONE)
        reason_set(why, -ENOENT, "%s.%s is gone, it was heard last %lld s ago", radio->site,
                   radio->name, radio_silence_s(radio, clock_unix_ns()));
    else if (!json_is_true(json_object_get(radio->announce, "controllable")))
        reason_set(why, 0, "%s.%s takes no requests: its fftd has no control token", radio->site,
                   radio->name);
    else
        return NULL;
    return why->sentence;
}

/* The message of a viewer, after room for the number. Allocated; NULL: no memory. */
static uint8_t *make_data(const json_t *message, size_t *size)
{
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(15);
    const size_t length = json_dumpb(message, NULL, 0, flags);
    uint8_t *data = malloc(HUB_REQUEST_HEAD + length);
    if (!data || length == 0) {
        free(data);
        return NULL;
    }
    json_dumpb(message, (char *)data + HUB_REQUEST_HEAD, length, flags);
    *size = length;
    return data;
}

const char *hub_request_send(struct hub_service *h, const struct hub_sending *what,
                             struct reason *why)
{
    struct link_reader_state link;
    struct hub_request *q =
        hub_requests_add(&h->requests, what->viewer, what->radio->id, clock_now_ns(), why);
    if (!q)
        return why->sentence;
    hub_service_link(h, &link);
    q->links = link.links;
    q->is_call = what->is_call;
    snprintf(q->subject, sizeof q->subject, "%s.%s.%s.control", h->nats.prefix, what->radio->site,
             what->radio->name);
    if (what->data)
        bytes_put(what->data, q->number, HUB_REQUEST_HEAD);
    if (what->data &&
        inbox_put(h->to_sensors, q->subject, what->data, HUB_REQUEST_HEAD + what->size))
        return NULL;
    *q = (struct hub_request){.number = 0};
    return "too many requests of this hub wait for the broker";
}

int viewer_request(struct client *c, const struct wish *w)
{
    struct hub_service *h = c->all->user;
    const struct radio *radio = radios_find(&h->radios, w->radio);
    struct reason why = {0};
    const char *refused = check_viewer(c, &why);
    if (!refused)
        refused = hub_request_check(h, radio, w->radio, &why);
    if (!refused) {
        struct hub_sending sending = {.viewer = c, .radio = radio};
        sending.data = make_data(w->message, &sending.size);
        refused = hub_request_send(h, &sending, &why);
        free(sending.data);
    }
    return refused ? viewer_request_refuse(c, w->radio, refused) : 0;
}
