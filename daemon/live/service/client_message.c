/* client_message.c - does what the messages of websockets ask for, and queues the answers. */
#include "daemon/live/service/client_message.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "daemon/api/call_connection.h"
#include "daemon/api/carry.h"
#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/client/control.h"
#include "daemon/control/choices.h"
#include "daemon/http/http_server.h"
#include "daemon/http/stream/demand.h"
#include "daemon/line/line.h"
#include "daemon/live/client_queue.h"
#include "daemon/live/live.h"
#include "daemon/live/message/density_message.h"
#include "daemon/live/message/event_message.h"
#include "daemon/live/message/lease_message.h"
#include "daemon/live/message/state_message.h"
#include "daemon/live/message/view_message.h"
#include "daemon/live/service/connection_call.h"
#include "daemon/live/service/limits.h"

/* {"id":7,"status":400,"error":"...","key":"center_hz"} */
static json_t *refusal_to_json(const json_t *id, unsigned status, const struct reason *why)
{
    json_t *answer = json_pack("{sO si so}", "id", id, "status", (int)status, "error",
                               text_to_json(why->sentence));
    if (answer && why->key[0])
        json_object_set_new(answer, "key", text_to_json(why->key));
    return answer;
}

/* Of a message that was not understood: a call is answered with its id. */
static int refuse_message(struct subscriber *u, const struct control *m, const struct reason *why)
{
    const json_t *id = json_object_get(m->message, "id");
    if (!m->is_call || !(json_is_integer(id) || json_is_string(id)))
        return client_queue_error(live_client(u), why->sentence);
    return client_queue_message(live_client(u), refusal_to_json(id, 400, why));
}

/* ---- one function for each type --------------------------------------------------------- */

static bool has_band_plan(const struct live *l)
{
    const struct band_plan *plan = l->services->band_plan;
    return plan && plan->band_count + plan->bookmark_count > 0;
}

/* The whole state is sent next, not what changed, to a client that has subscribed to it. */
static void send_whole(struct subscriber *u, unsigned topic)
{
    if (topic == TOPIC_RECORDINGS) {
        u->topic[LIVE_RECORDINGS].number = 0;
        u->topic[LIVE_RECORDINGS].pending = u->live->recordings.all;
    } else if (topic == TOPIC_LEASE) {
        u->topic[LIVE_LEASE].pending = u->live->services->radio->lease.period_s > 0;
    } else if (topic == TOPIC_PRESETS) {
        u->topic[LIVE_PRESETS].pending = true;
    }
}

/*
 * What is sent without being asked for, from now on. After a later hello, a client with a token
 * sees more of what it has subscribed to.
 */
static void begin_topics(struct subscriber *u)
{
    static const enum live_topic sent[] = {LIVE_STATUS, LIVE_CHOICES, LIVE_REPLAY, LIVE_HISTORY,
                                           LIVE_SPECTRA};
    for (size_t i = 0; i < sizeof sent / sizeof sent[0]; i++)
        u->topic[sent[i]].on = true;
    u->topic[LIVE_STATUS].pending = u->live->status.all;
    for (unsigned topic = TOPIC_RECORDINGS; topic <= TOPIC_PRESETS; topic++)
        send_whole(u, topic);
}

static int welcome(struct subscriber *u, const struct control *m)
{
    struct reason why = {0};
    struct client *c = live_client(u);
    const struct live *l = u->live;
    c->welcomed = true;
    begin_topics(u);
    u->status_changes = m->kind == CONTROL_HELLO && m->status_changes;
    if (client_login(c, m->kind == CONTROL_HELLO ? m->token : NULL, &why) < 0 &&
        client_queue_error(c, why.sentence) < 0)
        return -1;
    return client_queue_message(
        c, json_pack("{ss ss sb sb so so sb sb}", "type", "welcome", "version", FFTD_VERSION,
                     "control", c->control, "token", l->clients.http->login.token.set, "limits",
                     limits_to_json(l), "choices", choices_to_json(l->radio), "band_plan",
                     has_band_plan(l), "recordings", l->services->recorder != NULL));
}

/* The error names the slot, so that the client knows which of its views was refused. */
static int queue_view_error(struct subscriber *u, unsigned slot, const char *error)
{
    if (slot == 0)
        return client_queue_error(live_client(u), error);
    return client_queue_message(live_client(u), json_pack("{ss ss si}", "type", "error", "message",
                                                          error, "slot", (int)slot));
}

static int on_view(struct subscriber *u, const struct control *m)
{
    struct feed *feed = u->live->feed;
    const struct line *line = feed->latest;
    if (m->off) {
        feed_remove_view(feed, &u->feed, m->slot);
        view_message_expect(u, m->slot, NULL);
        return 0;
    }
    if (line && !(m->view.percent > 0) && !detector_is_on_demand(m->view.detector) &&
        !(line->detectors & 1U << m->view.detector))
        return queue_view_error(u, m->slot, "detector: this detector is not computed");
    const int err = feed_set_view(feed, &u->feed, m->slot, &m->view, m->view_id, m->restart);
    if (err < 0)
        return queue_view_error(u, m->slot,
                                err == -EMFILE    ? "too many different views (see max-views)"
                                : err == -ENOBUFS ? "there is no memory for another trace"
                                                  : strerror(-err));
    view_message_expect(u, m->slot, &m->view);
    if (m->view.percent > 0 || detector_is_on_demand(m->view.detector))
        demand_update(u->live->demand);
    return 0;
}

static const char *control_refusal(const struct subscriber *u)
{
    const struct http_server *s = u->live->clients.http;
    if (s->login.token.set)
        return "changing the radio needs the control token, in the first message";
    return s->listener.local
               ? "changing the radio through a proxy needs a control token; none is configured"
               : "changing the radio from elsewhere needs a control token; none is configured";
}

/* ---- calls ------------------------------------------------------------------------------ */

/* `path` and, in *r, its resource; NULL: there is none. The path of a call is that of a URL. */
static const char *resolve(const struct control *m, char path[CONTROL_PATH],
                           const struct api_resource **r)
{
    const char *name = "";
    memcpy(path, m->call.path, CONTROL_PATH);
    *r = api_decode(path) ? api_find(path, &name) : NULL;
    if (!*r)
        *r = api_connection_find(path, &name);
    return name;
}

static int run_call(const struct subscriber *u, const struct control_call *of,
                    const struct api_resource *r, struct api_call *call, struct api_reply *reply,
                    struct reason *why)
{
    const struct api_method *m = r ? api_method_of(r, api_verb_of(of->verb)) : NULL;
    char methods[API_METHODS_TEXT];
    if (!r)
        return reason_set(why, -ENOENT, "%.100s: there is no such resource", of->path);
    if (!m)
        return reason_set(why, -ENOSYS, "the methods of this path are %s",
                          api_methods_text(r, methods));
    call->control = live_client(u)->control;
    if (api_needs_control(m) && !call->control)
        return reason_set(why, u->live->clients.http->login.token.set ? -EKEYREJECTED : -ENOKEY,
                          "%s", control_refusal(u));
    const int err = api_run(m, call, reply, why);
    return err == 0 && reply->bytes
               ? reason_set(why, -ENOSYS, "%.100s is a file: HTTP has it", of->path)
               : err;
}

static unsigned status_of(int err, const struct api_reply *reply)
{
    return err == -ENOSYS ? 405 : api_status_of(err, reply);
}

/* {"id":7,"status":200,"body":{...}} */
static json_t *answer_to_json(const json_t *id, const struct api_resource *r,
                              const struct api_reply *reply)
{
    char path[2 * CONTROL_PATH], location[3 * CONTROL_PATH];
    assert(r); /* without one the call is refused */
    json_t *answer = json_pack("{sO si so}", "id", id, "status", (int)status_of(0, reply), "body",
                               reply->json ? json_incref(reply->json) : json_object());
    api_encode(location, sizeof location, 0, api_location(r->path, reply, path, sizeof path));
    if (answer && location[0])
        json_object_set_new(answer, "location", json_string(location));
    return answer;
}

static int on_call(struct subscriber *u, const struct control *m)
{
    char path[CONTROL_PATH];
    struct api_reply reply = {0};
    struct reason why = {.key = ""};
    const struct api_resource *r;
    const struct control_call *of = &m->call;
    const struct lease_user by = lease_message_user(u);
    const struct api_connection connection = connection_call_of(u);
    struct api_call call = {
        .on = u->live->services, .by = &by, .values = of->values, .connection = &connection};
    call.name = resolve(m, path, &r);
    const int err = run_call(u, of, r, &call, &reply, &why);
    const int closes = client_queue_message(
        live_client(u), err < 0 ? refusal_to_json(m->id, status_of(err, &reply), &why)
                                : answer_to_json(m->id, r, &reply));
    api_reply_finish(&reply);
    return closes;
}

/* ---- subscriptions ---------------------------------------------------------------------- */

/* What else a topic does when it is subscribed to. */
static void begin_topic(struct subscriber *u, const struct control_subscription *of)
{
    if (of->topic == TOPIC_DENSITY) {
        density_message_subscribe(u, of->on);
        u->density.form = of->form;
    } else if (of->topic == TOPIC_EVENTS) {
        event_message_begin(u);
    } else if (of->topic == TOPIC_MEASUREMENTS) {
        u->topic[LIVE_MEASURES].pending = false;
        u->live->measures.changed = true; /* the newest come at once */
    } else {
        send_whole(u, of->topic);
    }
}

static const enum live_topic topic_of[TOPICS] = {
    [TOPIC_STATUS] = LIVE_STATUS,         [TOPIC_MEASUREMENTS] = LIVE_MEASURES,
    [TOPIC_EVENTS] = LIVE_EVENTS,         [TOPIC_DENSITY] = LIVE_DENSITY,
    [TOPIC_RECORDINGS] = LIVE_RECORDINGS, [TOPIC_LEASE] = LIVE_LEASE,
    [TOPIC_PRESETS] = LIVE_PRESETS};

static int on_subscribe(struct subscriber *u, const struct control *m)
{
    const struct control_subscription *of = &m->subscription;
    const char *refusal =
        of->on && of->topic == TOPIC_DENSITY ? demand_refuse_density(u->live->demand) : NULL;
    if (refusal)
        return client_queue_message(
            live_client(u), json_pack("{sO si ss}", "id", m->id, "status", 503, "error", refusal));
    if (of->topic < TOPICS) {
        begin_topic(u, of);
        topic_set(&u->topic[topic_of[of->topic]], of->on, of->rate_hz);
    } else {
        state_message_subscribe(u, of->topic - TOPICS, of->on, of->rate_hz);
    }
    return client_queue_message(live_client(u),
                                json_pack("{sO si s{}}", "id", m->id, "status", 200, "body"));
}

/* A later one asks for control without a new connection. */
static int on_hello(struct subscriber *u, const struct control *m, bool first)
{
    if (!first && !m->token)
        return client_queue_error(live_client(u), "a later hello needs a token");
    if (!first && welcome(u, m))
        return -1;
    lease_message_name(u, m->name);
    return 0;
}

static int handle(struct subscriber *u, const struct control *m)
{
    struct client *c = live_client(u);
    const bool first = !c->welcomed;
    if (first && welcome(u, m))
        return -1;
    switch (m->kind) {
    case CONTROL_HELLO:
        return on_hello(u, m, first);
    case CONTROL_VIEW:
        return on_view(u, m);
    case CONTROL_CREDIT:
        feed_credit(&u->feed, m->credit);
        return 0;
    case CONTROL_SUBSCRIBE:
        return on_subscribe(u, m);
    case CONTROL_CALL:
        return on_call(u, m);
    }
    return 0;
}

int client_message(struct subscriber *u, const char *text, size_t size)
{
    struct control m;
    struct reason why = {0};
    int err = control_parse(&m, text, size, &why);
    err = err < 0 ? refuse_message(u, &m, &why) : handle(u, &m);
    control_finish(&m);
    return err;
}
