/*
 * measure_message.c - the message "measure": the newest results, for clients that want them.
 */
#include <stdlib.h>

#include "daemon/api/keys_json.h"
#include "daemon/base/clock.h"
#include "daemon/http/internal.h"
#include "daemon/measure/report_json.h"

/* A megabyte of text a second is made for all clients. */
static const uint64_t message_ns = 1000000000 / MEASURE_MESSAGES_PER_S, byte_ns = 1000;

static struct frame *make_message(struct server *s)
{
    json_t *json = measurements_to_json(s->hooks.measurer);
    if (json)
        json_object_set_new(json, "type", json_string("measure"));
    char *text = json ? json_dumps(json, REPORT_JSON_FLAGS) : NULL;
    struct frame *frame = text ? frame_from_text(text, strlen(text)) : NULL;
    json_decref(json);
    free(text);
    return frame;
}

static bool is_wanted(const struct server *s)
{
    const struct client *c = s->clients;
    while (c && !c->topic[TOPIC_MEASUREMENTS].on)
        c = c->next;
    return c;
}

/* A client that is slow to read gets the newest message, and the ones in between never. */
void server_push_measures(struct server *s)
{
    const uint64_t now = clock_now_ns();
    if (!s->hooks.measurer || now < s->next_measures_ns || !is_wanted(s))
        return;
    struct measure_snapshot *newest = measurer_newest(s->hooks.measurer);
    const bool news = newest != s->measured || s->measures_changed;
    measure_snapshot_drop(s->measured);
    s->measured = newest;
    struct frame *frame = news ? make_message(s) : NULL;
    if (!frame)
        return;
    frame_drop(s->measures);
    s->measures = frame;
    s->measures_changed = false;
    s->next_measures_ns = now + message_ns + frame->size * byte_ns;
    for (struct client *c = s->clients; c; c = c->next)
        c->measures_due = c->topic[TOPIC_MEASUREMENTS].on;
    server_request_writes(s);
}
