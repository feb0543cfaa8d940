/* measure_message.c - makes the message "measure", at the pace that its size allows. */
#include "daemon/live/message/measure_message.h"

#include <stdlib.h>

#include "daemon/api/keys_json.h"
#include "daemon/base/clock.h"
#include "daemon/base/json.h"
#include "daemon/live/live.h"
#include "daemon/measure/report_json.h"
#include "daemon/wire/ws_message.h"

/* A megabyte of text a second is made for all clients. */
static const uint64_t message_ns = 1000000000 / MEASURE_MESSAGES_PER_S, byte_ns = 1000;

static struct ws_message *make_message(const struct live *l)
{
    json_t *json = measurements_to_json(l->services->measure_thread);
    if (json)
        json_object_set_new(json, "type", json_string("measure"));
    char *text = json_text(json, JSON_COMPACT);
    struct ws_message *frame = text ? ws_message_from_text(text, strlen(text)) : NULL;
    json_decref(json);
    free(text);
    return frame;
}

static bool is_wanted(const struct live *l)
{
    const struct client *c = l->clients.first;
    while (c && !live_subscriber(c)->topic[LIVE_MEASURES].on)
        c = c->next;
    return c;
}

/* A client that is slow to read gets the newest message, and the ones in between never. */
void measure_message_push(struct live *l)
{
    const uint64_t now = clock_now_ns();
    struct measure_topic *topic = &l->measures;
    if (!l->services->measure_thread || now < topic->next_ns || !is_wanted(l))
        return;
    struct measure_snapshot *newest = measure_thread_newest(l->services->measure_thread);
    const bool is_pending = newest != topic->measured || topic->changed;
    measure_snapshot_unref(topic->measured);
    topic->measured = newest;
    struct ws_message *frame = is_pending ? make_message(l) : NULL;
    if (!frame)
        return;
    ws_message_unref(topic->frame);
    topic->frame = frame;
    topic->changed = false;
    topic->next_ns = now + message_ns + frame->size * byte_ns;
    live_mark_pending(l, LIVE_MEASURES);
}

/* It is pending once there is a frame. */
struct ws_message *measure_message_next(struct subscriber *u)
{
    return ws_message_ref(u->live->measures.frame);
}

void measure_message_finish(struct measure_topic *topic)
{
    ws_message_unref(topic->frame);
    measure_snapshot_unref(topic->measured);
}
