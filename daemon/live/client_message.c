/* client_message.c - does what the messages of websocket clients ask for, and queues the answers.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "daemon/api/carry.h"
#include "daemon/api/values.h"
#include "daemon/base/clock.h"
#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/client/control.h"
#include "daemon/control/choices.h"
#include "daemon/http/internal.h"
#include "daemon/http/rest/rest.h"
#include "daemon/line/line.h"
#include "daemon/line/trace.h"
#include "daemon/server/wishes.h"

int client_close(struct client *c, enum lws_close_status code, const char *why)
{
    unsigned char text[64];
    const size_t size = strnlen(why, sizeof text);
    memcpy(text, why, size);
    lws_close_reason(c->wsi, code, text, size);
    return -1;
}

/* Many messages may come with one read of the socket: what it takes of the answers does not wait.
 */
static bool has_room(struct client *c)
{
    if (c->queued == CLIENT_QUEUE && !lws_partial_buffered(c->wsi) && client_on_writable(c) < 0)
        return false;
    return c->queued < CLIENT_QUEUE;
}

/* Closes a client whose queue is full: it does not read. */
int client_queue_message(struct client *c, json_t *message)
{
    struct frame *f = frame_from_json(message);
    if (!f || !has_room(c)) {
        frame_drop(f);
        return client_close(c, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many answers wait");
    }
    c->queue[c->queued++] = f;
    lws_callback_on_writable(c->wsi);
    return 0;
}

int client_queue_error(struct client *c, const char *error)
{
    return client_queue_message(
        c, json_pack("{ss so}", "type", "error", "message", text_to_json(error)));
}

/* {"id":7,"status":400,"error":"...","key":"center_hz"} */
static json_t *refusal_to_json(const json_t *id, unsigned status, const struct reason *why)
{
    json_t *answer = json_pack("{sO si so}", "id", id, "status", (int)status, "error",
                               text_to_json(why->sentence));
    if (answer && why->key[0])
        json_object_set_new(answer, "key", text_to_json(why->key));
    return answer;
}

int client_refuse_message(struct client *c, const struct control *m, const char *error)
{
    const json_t *id = json_object_get(m->message, "id");
    struct reason why = {.key = ""};
    if (json_object_get(m->message, "type") || !(json_is_integer(id) || json_is_string(id)))
        return client_queue_error(c, error);
    reason_set(&why, -EINVAL, "%s", error);
    api_values_name_key(m->message, &why);
    return client_queue_message(c, refusal_to_json(id, 400, &why));
}

/* ---- one function for each type --------------------------------------------------------- */

static bool has_band_plan(const struct server *s)
{
    const struct band_plan *plan = s->hooks.band_plan;
    return plan && plan->band_count + plan->bookmark_count > 0;
}

static int welcome(struct client *c, const struct control *m)
{
    struct reason why = {0};
    c->welcomed = true;
    c->status_due = true;
    topic_set(&c->topic[TOPIC_STATUS], true, 0);
    c->presets_due = json_object_size(c->server->hooks.control->presets.all) > 0;
    c->lease_due = c->server->hooks.control->lease.period_s > 0;
    c->recordings_due = true;
    c->status_changes = m->kind == CONTROL_HELLO && m->status_changes;
    const char *refused = server_login(c, m->kind == CONTROL_HELLO ? m->token : NULL, &why);
    if (refused && client_queue_error(c, refused))
        return -1;
    return client_queue_message(
        c, json_pack("{ss ss sb so so sb sb}", "type", "welcome", "version", FFTD_VERSION,
                     "control", c->control, "limits", server_limits_json(c->server), "choices",
                     choices_to_json(c->server->radio), "band_plan", has_band_plan(c->server),
                     "recordings", c->server->hooks.recorder != NULL));
}

/* The error names the slot, so that the client knows which of its views was refused. */
static int queue_view_error(struct client *c, unsigned slot, const char *error)
{
    if (slot == 0)
        return client_queue_error(c, error);
    return client_queue_message(
        c, json_pack("{ss ss si}", "type", "error", "message", error, "slot", (int)slot));
}

static int on_view(struct client *c, const struct control *m)
{
    struct server *s = c->server;
    const struct line *line = s->feed.latest;
    if (m->off) {
        feed_remove_view(&s->feed, &c->feed, m->slot);
        view_message_expect(c, m->slot, NULL);
        return 0;
    }
    if (line && !(m->view.percent > 0) && !detector_is_on_demand(m->view.detector) &&
        !(line->detectors & 1U << m->view.detector))
        return queue_view_error(c, m->slot, "detector: this detector is not computed");
    const int err = feed_set_view(&s->feed, &c->feed, m->slot, &m->view, m->view_id, m->restart);
    if (err < 0)
        return queue_view_error(c, m->slot,
                                err == -EMFILE    ? "too many different views (see max-views)"
                                : err == -ENOBUFS ? "there is no memory for another trace"
                                                  : strerror(-err));
    view_message_expect(c, m->slot, &m->view);
    if (m->view.percent > 0 || detector_is_on_demand(m->view.detector))
        wishes_update(s);
    return 0;
}

static const char *control_refusal(const struct client *c)
{
    const struct server *s = c->server;
    if (s->token.set)
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
    return name;
}

static int run_call(struct client *c, const struct control_call *of, const struct api_resource *r,
                    struct api_call *call, struct api_reply *reply, struct reason *why)
{
    const struct api_method *m = r ? api_method_of(r, api_verb_of(of->verb)) : NULL;
    char methods[API_METHODS_TEXT];
    if (!r)
        return reason_set(why, -ENOENT, "%.100s: there is no such resource", of->path);
    if (!m)
        return reason_set(why, -ENOSYS, "the methods of this path are %s",
                          api_methods_text(r, methods));
    if (m->right != API_WATCH && !c->control)
        return reason_set(why, c->server->token.set ? -EKEYREJECTED : -ENOKEY, "%s",
                          control_refusal(c));
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

static int on_call(struct client *c, const struct control *m)
{
    char path[CONTROL_PATH];
    struct api_reply reply = {0};
    struct reason why = {.key = ""};
    const struct api_resource *r;
    const struct control_call *of = &m->call;
    const struct lease_user by = client_user(c);
    struct api_call call = {.on = c->server->services, .by = &by, .values = of->values};
    call.name = resolve(m, path, &r);
    const int err = run_call(c, of, r, &call, &reply, &why);
    const int closes =
        client_queue_message(c, err < 0 ? refusal_to_json(m->id, status_of(err, &reply), &why)
                                        : answer_to_json(m->id, r, &reply));
    api_reply_finish(&reply);
    return closes;
}

/* ---- measurements and traces ------------------------------------------------------------ */

/* Whoever has the lease has it by the new name. */
static int on_name(struct client *c, const struct control *m)
{
    struct radio_control *radio = c->server->hooks.control;
    struct reason why = {0};
    client_name(c, m->name);
    const struct lease_user user = client_user(c);
    if (!c->control)
        return client_queue_error(c, control_refusal(c));
    if (lease_is_of(&radio->lease, &user, clock_now_ns()) &&
        radio_control_take_lease(radio, &user, &why) < 0)
        return client_queue_error(c, why.sentence);
    return client_queue_message(c, json_pack("{ss}", "type", "done"));
}

/* The results are the answer: a page that moves a marker needs no other. */
static int on_own_measure(struct client *c, const struct control *m)
{
    struct reason why = {0};
    const json_t *name = json_object_get(m->measure_setup, "name");
    const int err = own_measure_change(c, m, &why);
    if (err >= 0)
        return 0;
    json_t *owned = m->measure == MEASURE_REMOVE ? json_string(m->measure_name)
                    : json_is_string(name)       ? json_string(json_string_value(name))
                                                 : json_null();
    return client_queue_message(
        c, json_pack("{ss so so}", "type", "error", "message",
                     text_to_json(why.sentence[0] ? why.sentence : strerror(-err)), "own_measure",
                     owned));
}

/* Stores the trace of a view as it is, before any arithmetic. */
static int store_view(struct server *s, const struct feed_slot *view, const char *name,
                      struct reason *why)
{
    const struct view_trace *t = view->trace;
    const struct line *latest = s->feed.latest;
    char detector[DETECTOR_TEXT];
    const int err = reference_takes_check_name(&s->references, name, why);
    if (err < 0)
        return err;
    if (!view->view)
        return reason_set(why, -ENOENT, "the slot has no view");
    if (!latest || (t && (t->trace.lines == 0 || t->trace.n != latest->n)))
        return reason_set(why, -ENODATA, "the view has no line yet");
    const unsigned index = t ? t->detector : feed_slot_detector(view);
    const enum trace_function function = t ? t->trace.function : TRACE_CLEAR_WRITE;
    if (!t && !(latest->detectors & 1U << index))
        return reason_set(why, -ENODATA, "the detector is not computed");
    const struct reference_source source = {.name = name,
                                            .detector =
                                                detector_text(index, t ? t->percent : 0, detector),
                                            .trace = trace_function_name(function),
                                            .lines = t ? t->trace.lines : 1,
                                            .line = latest,
                                            .power = t ? t->trace.power : latest->detector[index]};
    return reference_takes_store(&s->references, &source, why);
}

static int on_reference(struct client *c, const struct control *m)
{
    struct reason why = {.key = ""};
    if (!c->control)
        return client_queue_error(c, control_refusal(c));
    const int err = store_view(c->server, &c->feed.slot[m->slot], m->reference_name, &why);
    return err < 0 ? client_queue_error(c, why.sentence[0] ? why.sentence : strerror(-err))
                   : client_queue_message(c, json_pack("{ss}", "type", "done"));
}

/* What a topic does beside being sent. */
static void begin_topic(struct client *c, const struct control_subscription *of)
{
    if (of->topic == TOPIC_DENSITY) {
        density_subscribe(c, of->on);
        c->density_form = of->form;
    } else if (of->topic == TOPIC_EVENTS) {
        events_begin(c);
    } else if (of->topic == TOPIC_MEASUREMENTS) {
        c->measures_due = false;
        c->server->measures_changed = true; /* the newest come at once */
    }
}

static int on_subscribe(struct client *c, const struct control *m)
{
    const struct control_subscription *of = &m->subscription;
    const char *refusal = of->on && of->topic == TOPIC_DENSITY ? density_refusal(c->server) : NULL;
    if (refusal)
        return client_queue_message(
            c, json_pack("{sO si ss}", "id", m->id, "status", 503, "error", refusal));
    begin_topic(c, of);
    topic_set(&c->topic[of->topic], of->on, of->rate_hz);
    return client_queue_message(c, json_pack("{sO si s{}}", "id", m->id, "status", 200, "body"));
}

static int on_markers(struct client *c, const struct control *m)
{
    const int err = markers_choose(c, m->want ? &m->readout : NULL);
    return err < 0 ? client_queue_error(c, strerror(-err)) : 0;
}

static int on_history(struct client *c, const struct control *m)
{
    const char *refusal = history_refusal(c->server);
    if (refusal)
        return client_queue_error(c, refusal);
    history_ask(c, &m->history);
    return 0;
}

int client_on_message(struct client *c, const struct control *m)
{
    const bool first = !c->welcomed;
    if (first && welcome(c, m))
        return -1;
    switch (m->kind) {
    case CONTROL_HELLO:
        client_name(c, first ? m->name : NULL);
        return first ? 0 : client_queue_error(c, "hello must be the first message");
    case CONTROL_VIEW:
        return on_view(c, m);
    case CONTROL_CREDIT:
        feed_credit(&c->feed, m->credit);
        return 0;
    case CONTROL_SUBSCRIBE:
        return on_subscribe(c, m);
    case CONTROL_REFERENCE:
        return on_reference(c, m);
    case CONTROL_OWN_MEASURE:
        return on_own_measure(c, m);
    case CONTROL_MARKERS:
        return on_markers(c, m);
    case CONTROL_NAME:
        return on_name(c, m);
    case CONTROL_CALL:
        return on_call(c, m);
    case CONTROL_HISTORY:
        return on_history(c, m);
    }
    return 0;
}
