/* status_message.c - the status for clients: all of it, or what changed since the one before. */
#include "daemon/base/json.h"
#include "daemon/http/internal.h"
#include "daemon/server/wishes.h"

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

void server_push_status(struct server *s)
{
    struct status now;
    server_update_status(s, &now);
    if (!s->clients)
        return;
    json_t *json = server_status_json(s, &now);
    if (!json)
        return;
    struct status_news *news = &s->status;
    struct frame *changes = make_changes(news->json, json);
    status_news_finish(news);
    news->json = json_deep_copy(json);
    news->changes = changes;
    json_object_set_new(json, "type", json_string("status"));
    news->all = frame_from_json(json);
    news->number++;
    for (struct client *c = s->clients; c; c = c->next)
        c->status_due = c->topic[TOPIC_STATUS].on;
    server_request_writes(s);
}

bool status_is_due(const struct client *c)
{
    return c->status_due && c->server->status.all && topic_is_open(&c->topic[TOPIC_STATUS]);
}

struct frame *status_message_next(struct client *c)
{
    const struct status_news *news = &c->server->status;
    const bool follows = c->status_number + 1 == news->number && c->status_number > 0;
    c->status_due = false;
    topic_sent(&c->topic[TOPIC_STATUS]);
    c->status_number = news->number;
    return frame_hold(c->status_changes && follows && news->changes ? news->changes : news->all);
}

void status_news_finish(struct status_news *news)
{
    frame_drop(news->all);
    frame_drop(news->changes);
    json_decref(news->json);
    news->all = news->changes = NULL;
    news->json = NULL;
}
