/* client_message.c - does what the messages of websocket clients ask for, and queues the answers.
 */
#include <errno.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/client/choices.h"
#include "daemon/client/control.h"
#include "daemon/server/internal.h"

int client_close(struct client *c, enum lws_close_status code, const char *why)
{
    unsigned char text[64];
    const size_t size = strnlen(why, sizeof text);
    memcpy(text, why, size);
    lws_close_reason(c->wsi, code, text, size);
    return -1;
}

/* Closes a client whose queue is full: it does not read. */
int client_queue_message(struct client *c, json_t *message)
{
    struct frame *f = frame_from_json(message);
    if (!f || c->queued == CLIENT_QUEUE) {
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

/* ---- one function for each type --------------------------------------------------------- */

static int welcome(struct client *c, const struct control *m)
{
    char error[128];
    c->welcomed = true;
    c->status_due = true;
    c->presets_due = json_object_size(c->server->presets.all) > 0;
    c->lease_due = c->server->lease.period_s > 0;
    c->recordings_due = true;
    c->status_changes = m->kind == CONTROL_HELLO && m->status_changes;
    const char *refused =
        server_login(c, m->kind == CONTROL_HELLO ? m->token : NULL, error, sizeof error);
    if (refused && client_queue_error(c, refused))
        return -1;
    return client_queue_message(c, json_pack("{ss ss sb so so sb sb}", "type", "welcome", "version",
                                             FFTD_VERSION, "control", c->control, "limits",
                                             server_limits_json(c->server), "choices",
                                             choices_to_json(c->server->radio), "band_plan",
                                             server_has_band_plan(c->server), "recordings",
                                             c->server->hooks.recorder != NULL));
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

static int apply_set(struct client *c, const struct control *m, char *error, size_t error_size)
{
    return server_apply_change(c->server, &m->change, error, error_size);
}

static int apply_replay(struct client *c, const struct control *m, char *error, size_t error_size)
{
    return server_change_replay(c->server, &m->replay, error, error_size);
}

static int apply_preset(struct client *c, const struct control *m, char *error, size_t error_size)
{
    return server_recall_preset(c->server, m->preset_name, error, error_size);
}

/* A change of the radio, by the one who has the lease, or gets it. */
static int on_change(struct client *c, const struct control *m,
                     int (*apply)(struct client *c, const struct control *m, char *error,
                                  size_t error_size))
{
    char error[256] = "";
    if (!c->control)
        return client_queue_error(c, control_refusal(c));
    int err = client_check_lease(c, error, sizeof error);
    if (err == 0)
        err = apply(c, m, error, sizeof error);
    if (err < 0)
        return client_queue_error(c, error[0] ? error : strerror(-err));
    client_hold_lease(c);
    return client_queue_message(c, json_pack("{ss}", "type", "done"));
}

static int on_preset(struct client *c, const struct control *m)
{
    char error[256] = "";
    if (m->preset == PRESET_RECALL)
        return on_change(c, m, apply_preset);
    if (!c->control)
        return client_queue_error(c, control_refusal(c));
    const int err = m->preset == PRESET_STORE
                        ? server_store_preset(c->server, m->preset_name, error, sizeof error)
                        : server_remove_preset(c->server, m->preset_name, error, sizeof error);
    return err < 0 ? client_queue_error(c, error[0] ? error : strerror(-err))
                   : client_queue_message(c, json_pack("{ss}", "type", "done"));
}

static int on_record(struct client *c, const struct control *m)
{
    char error[256] = "";
    uint64_t id = m->record.stop;
    if (!c->control)
        return client_queue_error(c, control_refusal(c));
    const int err =
        id > 0 ? server_stop_recording(c->server, id, error, sizeof error)
               : server_start_recording(c->server, &m->record.start, &id, error, sizeof error);
    return err < 0 ? client_queue_error(c, error[0] ? error : strerror(-err))
                   : client_queue_message(c, json_pack("{ss}", "type", "done"));
}

static int on_trigger(struct client *c, const struct control *m)
{
    char error[256] = "";
    if (!c->control)
        return client_queue_error(c, control_refusal(c));
    const int err = server_fire_trigger(c->server, m->fired_name, error, sizeof error);
    return err < 0 ? client_queue_error(c, error[0] ? error : strerror(-err))
                   : client_queue_message(c, json_pack("{ss}", "type", "done"));
}

static int on_lease(struct client *c, const struct control *m)
{
    char error[256] = "";
    client_name(c, m->name);
    if (!c->control)
        return client_queue_error(c, control_refusal(c));
    const int err = client_change_lease(c, m, error, sizeof error);
    return err < 0 ? client_queue_error(c, error[0] ? error : strerror(-err))
                   : client_queue_message(c, json_pack("{ss}", "type", "done"));
}

static int on_measure(struct client *c, const struct control *m)
{
    struct server *s = c->server;
    char error[512] = "";
    int err = 0;
    if (m->measure == MEASURE_WANT || m->measure == MEASURE_UNWANT) {
        c->measures_wanted = m->measure == MEASURE_WANT;
        c->measures_due = false;
        s->measures_changed = true;
        return 0;
    }
    if (!c->control)
        return client_queue_error(c, control_refusal(c));
    if (m->measure == MEASURE_SET)
        err = server_set_measure(s, m->measure_setup, error, sizeof error);
    else
        err = server_remove_measure(s, m->measure_name, error, sizeof error);
    return err < 0 ? client_queue_error(c, error[0] ? error : strerror(-err))
                   : client_queue_message(c, json_pack("{ss}", "type", "done"));
}

/* The results are the answer: a page that moves a marker needs no other. */
static int on_own_measure(struct client *c, const struct control *m)
{
    char error[512] = "";
    const json_t *name = json_object_get(m->measure_setup, "name");
    const int err = own_measure_change(c, m, error, sizeof error);
    if (err >= 0)
        return 0;
    json_t *owned = m->measure == MEASURE_REMOVE ? json_string(m->measure_name)
                    : json_is_string(name)       ? json_string(json_string_value(name))
                                                 : json_null();
    return client_queue_message(c, json_pack("{ss so so}", "type", "error", "message",
                                             text_to_json(error[0] ? error : strerror(-err)),
                                             "own_measure", owned));
}

static int on_reference(struct client *c, const struct control *m)
{
    char error[256] = "";
    if (!c->control)
        return client_queue_error(c, control_refusal(c));
    const int err = server_store_view(c->server, &c->feed.slot[m->slot], m->reference_name, error,
                                      sizeof error);
    return err < 0 ? client_queue_error(c, error[0] ? error : strerror(-err))
                   : client_queue_message(c, json_pack("{ss}", "type", "done"));
}

static int on_density(struct client *c, const struct control *m)
{
    const char *refusal = m->want ? density_refusal(c->server) : NULL;
    if (refusal)
        return client_queue_error(c, refusal);
    density_subscribe(c, m->want);
    c->density_form = m->density_form;
    return 0;
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
    case CONTROL_DENSITY:
        return on_density(c, m);
    case CONTROL_SET:
        return on_change(c, m, apply_set);
    case CONTROL_MEASURE:
        return on_measure(c, m);
    case CONTROL_REFERENCE:
        return on_reference(c, m);
    case CONTROL_OWN_MEASURE:
        return on_own_measure(c, m);
    case CONTROL_MARKERS:
        return on_markers(c, m);
    case CONTROL_REPLAY:
        return on_change(c, m, apply_replay);
    case CONTROL_PRESET:
        return on_preset(c, m);
    case CONTROL_LEASE:
        return on_lease(c, m);
    case CONTROL_RECORD:
        return on_record(c, m);
    case CONTROL_TRIGGER:
        return on_trigger(c, m);
    case CONTROL_HISTORY:
        return on_history(c, m);
    case CONTROL_EVENTS:
        events_want(c, m->want);
        return 0;
    }
    return 0;
}
