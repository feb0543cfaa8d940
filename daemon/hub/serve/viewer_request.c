/* viewer_request.c - passes calls of viewers on to sensors, and their answers back. */
#include "daemon/hub/serve/viewer_request.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/access/peers.h"
#include "daemon/api/carry.h"
#include "daemon/base/bytes.h"
#include "daemon/base/clock.h"
#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/http/rest/rest.h"
#include "daemon/hub/serve/hub_service.h"
#include "daemon/hub/serve/radio_call.h"
#include "daemon/hub/serve/viewer.h"
#include "daemon/live/client_queue.h"
#include "daemon/live/client_send.h"

enum { REQUESTS_PER_S = 2, REQUESTS_BURST = 20 }; /* of one viewer */

/* ---- answers ----------------------------------------------------------------------------- */

int viewer_request_refuse(struct client *c, const json_t *id, unsigned status,
                          const struct reason *why)
{
    json_t *answer = json_pack("{sO si so}", "id", id, "status", (int)status, "error",
                               text_to_json(why->sentence));
    if (answer && why->key[0])
        json_object_set_new(answer, "key", text_to_json(why->key));
    return client_queue_message(c, answer);
}

/* {"id":7,"status":200,"body":{...},"location":"..."} */
static int answer_result(struct client *c, const struct hub_request *request, const char *radio,
                         const struct call_reply *r)
{
    char location[CALL_LOCATION + 2 * HUB_WORD];
    json_t *answer =
        json_pack("{sO si sO}", "id", request->id, "status", (int)r->status, "body", r->body);
    radio_call_location(location, sizeof location, radio, r->location);
    if (answer && r->status == 201 && r->location[0])
        json_object_set_new(answer, "location", json_string(location));
    return client_queue_message(c, answer);
}

static int answer_viewer(struct client *c, const struct hub_request *request,
                         const struct hub_answer *answer)
{
    const struct hub_service *h = c->all->user;
    const struct radio *of = radios_find(&h->radios, request->radio);
    const struct call_reply *r = &answer->call;
    struct reason why = {0};
    char radio[2 * HUB_WORD] = "";
    if (of)
        snprintf(radio, sizeof radio, "%s.%s", of->site, of->name);
    if (r->status > 0 && r->status < 400 && r->body)
        return answer_result(c, request, radio, r);
    if (r->status >= 400)
        return viewer_request_refuse(c, request->id, r->status, &r->why);
    unsigned status = 405;
    if (r->status > 0)
        reason_set(&why, -ENOSYS, "it is a file: HTTP has it");
    else
        status = radio_call_fault(h, answer, radio, request->is_read, &why);
    return viewer_request_refuse(c, request->id, status, &why);
}

void viewer_request_done(const struct hub_request *request, const struct hub_answer *answer)
{
    struct client *c = request->viewer;
    struct call_reply reply = answer->call;
    if (answer->wrong_token)
        login_count_wrong(&c->all->http->login, &c->own->address, &c->peer->address);
    /* The viewer reads nothing. */
    if (answer_viewer(c, request, answer) < 0)
        client_send_fail(c);
    call_reply_finish(&reply);
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
static unsigned check_viewer(struct client *c, const struct viewer_message *w, struct reason *why)
{
    const uint32_t wait_ms =
        login_wait_ms(&c->all->http->login, &c->own->address, &c->peer->address);
    if (!c->control)
        reason_set(why, -EKEYREJECTED, "calls need the control token of this hub, too");
    else if (!w->token)
        reason_set(why, -EKEYREJECTED, "a radio needs its control token: the key token of a call");
    else if (wait_ms > 0)
        reason_set(why, -EKEYREJECTED,
                   "too many wrong control tokens from this address: try again in %u s",
                   (wait_ms + 999) / 1000);
    else if (!is_within_rate(viewer_of(c)))
        reason_set(why, -EAGAIN, "too many requests: wait a moment");
    else
        return 0;
    return why->code == -EAGAIN ? 503 : 401;
}

static uint8_t *write_call(const struct client *c, const struct viewer_message *w, const char *at,
                           size_t *size)
{
    char from[ADDRESS_TEXT];
    json_t *none = json_object();
    const struct call_ask ask = {.token = w->token,
                                 .name = w->name,
                                 .from = address_text(&c->peer->address, from),
                                 .verb = api_verb_names[api_verb_of(w->verb)],
                                 .path = at,
                                 .values = w->values ? w->values : none};
    uint8_t *data = call_ask_write(&ask, size);
    json_decref(none);
    return data;
}

/* 0, or a status: the call is not on its way. */
static unsigned send_call(struct client *c, const struct viewer_message *w,
                          const struct radio_call_target *t, struct reason *why)
{
    struct hub_service *h = c->all->user;
    const struct radio *radio = hub_service_radio(h, t->radio);
    struct radio_call sending = {
        .viewer = c, .radio = radio, .id = w->id, .is_read = strcmp(w->verb, "get") == 0};
    struct reason said = {0};
    if (!radio) {
        reason_set(why, -ENOENT, "%s: there is no such radio: SITE.RADIO", t->radio);
        return 404;
    }
    int err = radio_call_check(h, radio, &said);
    unsigned status = err == -ENOENT ? 503 : 502;
    if (err == 0) {
        sending.data = write_call(c, w, t->path, &sending.size);
        err = radio_call_send(h, &sending, &said);
        status = 503;
        free(sending.data);
    }
    if (err < 0)
        reason_set(why, err, "%s: %s", t->radio, said.sentence);
    return err < 0 ? status : 0;
}

int viewer_request(struct client *c, const struct viewer_message *w)
{
    struct hub_service *h = c->all->user;
    char path[VIEWER_PATH];
    struct radio_call_target t;
    struct reason why = {0};
    memcpy(path, w->path, sizeof path);
    unsigned status = 0;
    if (!api_decode(path) || !radio_call_split(path, &t) || !rest_resource(t.path)) {
        reason_set(&why, -ENOENT, "%.100s: there is no such resource", w->path);
        status = 404;
    }
    if (!status)
        status = check_viewer(c, w, &why);
    if (!status)
        status = send_call(c, w, &t, &why);
    h->requests.outcomes[HUB_REFUSED] += status > 0;
    return status ? viewer_request_refuse(c, w->id, status, &why) : 0;
}
