/* measure_message.c - makes the message "measure", at the pace that its size allows. */
#include "daemon/live/message/measure_message.h"

#include <stdlib.h>

#include "daemon/api/keys_json.h"
#include "daemon/base/clock.h"
#include "daemon/live/live.h"
#include "daemon/measure/report_json.h"
#include "daemon/wire/frame.h"

/* A megabyte of text a second is made for all clients. */
static const uint64_t message_ns = 1000000000 / MEASURE_MESSAGES_PER_S, byte_ns = 1000;

static struct frame *make_message(const struct live *l)
{
    json_t *json = measurements_to_json(l->services->measurer);
    if (json)
        json_object_set_new(json, "type", json_string("measure"));
    char *text = json ? json_dumps(json, REPORT_JSON_FLAGS) : NULL;
    struct frame *frame = text ? frame_from_text(text, strlen(text)) : NULL;
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
    struct measure_news *news = &l->measures;
    if (!l->services->measurer || now < news->next_ns || !is_wanted(l))
        return;
    struct measure_snapshot *newest = measurer_newest(l->services->measurer);
    const bool is_news = newest != news->measured || news->changed;
    measure_snapshot_drop(news->measured);
    news->measured = newest;
    struct frame *frame = is_news ? make_message(l) : NULL;
    if (!frame)
        return;
    frame_drop(news->frame);
    news->frame = frame;
    news->changed = false;
    news->next_ns = now + message_ns + frame->size * byte_ns;
    live_make_due(l, LIVE_MEASURES);
}

/* It is due once there is a frame. */
struct frame *measure_message_next(struct subscriber *u)
{
    return frame_hold(u->live->measures.frame);
}

void measure_message_finish(struct measure_news *news)
{
    frame_drop(news->frame);
    measure_snapshot_drop(news->measured);
}
