/* status_message.c - the status for clients: all of it, or what changed since the one before. */
#include "daemon/live/message/status_message.h"

#include "daemon/base/json.h"
#include "daemon/live/live.h"
#include "daemon/wire/frame.h"

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
static struct frame *make_changes(json_t *before, json_t *now)
{
    json_t *changes = before ? json_find_changes(before, now) : NULL;
    if (!changes)
        return NULL;
    drop_gauges(changes);
    return frame_from_json(json_pack("{ss so}", "type", "status_changes", "changes", changes));
}

void status_message_push(struct live *l)
{
    struct status now;
    struct status_news *news = &l->status;
    radio_control_status(l->services->radio, &now);
    l->feed->line_rate_hz = now.dsp.line_rate_hz;
    json_t *json = l->clients.first ? l->services->status(l->services->user, &now) : NULL;
    if (!json)
        return;
    struct frame *changes = make_changes(news->json, json);
    status_message_finish(news);
    news->json = json_deep_copy(json);
    news->changes = changes;
    json_object_set_new(json, "type", json_string("status"));
    news->all = frame_from_json(json);
    news->number++;
    if (news->all)
        live_make_due(l, LIVE_STATUS);
}

struct frame *status_message_next(struct subscriber *u)
{
    const struct status_news *news = &u->live->status;
    struct topic_state *t = &u->topic[LIVE_STATUS];
    const bool follows = t->number + 1 == news->number && t->number > 0;
    t->number = news->number;
    if (!news->all)
        return NULL;
    return frame_hold(u->status_changes && follows && news->changes ? news->changes : news->all);
}

void status_message_finish(struct status_news *news)
{
    frame_drop(news->all);
    frame_drop(news->changes);
    json_decref(news->json);
    news->all = news->changes = NULL;
    news->json = NULL;
}
