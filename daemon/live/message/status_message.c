/* status_message.c - the status for clients: all of it, or what changed since the one before. */
#include "daemon/live/message/status_message.h"

#include "daemon/base/json.h"
#include "daemon/live/live.h"
#include "daemon/wire/ws_message.h"

/* What differs each time, and is of use to those alone who read a status now and then. */
static void drop_gauges(json_t *changes)
{
    json_t *server = json_object_get(changes, "server");
    json_object_del(changes, "beat_age");
    json_object_del(changes, "ring_fill");
    json_object_del(server, "frames_total");
    if (server && json_object_size(server) == 0)
        json_object_del(changes, "server");
}

/* NULL: the whole status has to be sent. */
static struct ws_message *make_changes(json_t *before, json_t *now)
{
    json_t *changes = before ? json_find_changes(before, now) : NULL;
    if (!changes)
        return NULL;
    drop_gauges(changes);
    return ws_message_from_json(json_pack("{ss so}", "type", "status_changes", "changes", changes));
}

void status_message_push(struct live *l)
{
    struct status now;
    struct status_topic *topic = &l->status;
    radio_control_status(l->services->radio, &now);
    l->feed->line_rate_hz = now.dsp.line_rate_hz;
    json_t *json = l->clients.first ? l->services->status(l->services->user, &now) : NULL;
    if (!json)
        return;
    struct ws_message *changes = make_changes(topic->json, json);
    status_message_finish(topic);
    topic->json = json_deep_copy(json);
    topic->changes = changes;
    json_object_set_new(json, "type", json_string("status"));
    topic->all = ws_message_from_json(json);
    topic->number++;
    if (topic->all)
        live_mark_pending(l, LIVE_STATUS);
}

struct ws_message *status_message_next(struct subscriber *u)
{
    const struct status_topic *topic = &u->live->status;
    struct topic_state *t = &u->topic[LIVE_STATUS];
    const bool follows = t->number + 1 == topic->number && t->number > 0;
    t->number = topic->number;
    if (!topic->all)
        return NULL;
    return ws_message_ref(u->status_changes && follows && topic->changes ? topic->changes
                                                                         : topic->all);
}

void status_message_finish(struct status_topic *topic)
{
    ws_message_unref(topic->all);
    ws_message_unref(topic->changes);
    json_decref(topic->json);
    topic->all = topic->changes = NULL;
    topic->json = NULL;
}
