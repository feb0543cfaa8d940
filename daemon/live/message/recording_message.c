/* recording_message.c - new and changed recordings, for websocket clients. */
#include "daemon/live/message/recording_message.h"

#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/json.h"
#include "daemon/live/live.h"
#include "daemon/wire/ws_message.h"

enum { LOOK_MS = 100, PROGRESS_MS = 1000 };

/* ---- what has changed ------------------------------------------------------------------- */

static const struct record_info *find(const struct recording_topic *topic, uint64_t id)
{
    for (size_t i = 0; i < topic->count; i++)
        if (topic->sent[i].id == id)
            return &topic->sent[i];
    return NULL;
}

static bool is_event(const struct record_info *now, const struct record_info *sent)
{
    return !sent || sent->state != now->state || strcmp(sent->name, now->name) != 0;
}

static bool has_changed(const struct record_info *now, const struct record_info *sent)
{
    return is_event(now, sent) || sent->samples != now->samples || sent->missing != now->missing;
}

/* ---- the message ------------------------------------------------------------------------ */

static json_t *info_to_json(const struct record_info *i)
{
    static const char *const states[] = {"running", "done", "failed"};
    json_t *one = json_pack("{sI ss ss so ss}", "id", (json_int_t)i->id, "state", states[i->state],
                            "name", i->name, "label", text_to_json(i->label), "end", i->end);
    json_object_set_new(one, "seconds", number_to_json((double)i->samples / i->rate_hz));
    json_object_set_new(one, "bytes", count_to_json(i->samples * i->sample_bytes));
    json_object_set_new(one, "missing", count_to_json(i->missing));
    return one;
}

/* all: also those that have not changed. */
static struct ws_message *make_message(const struct recording_topic *topic,
                                       const struct record_info *now, size_t count, bool all)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        if (all || has_changed(&now[i], find(topic, now[i].id)))
            json_array_append_new(list, info_to_json(&now[i]));
    return ws_message_from_json(json_pack("{ss so}", "type", "recording", "recordings", list));
}

static void announce(struct live *l, const struct record_info *now, size_t count)
{
    struct recording_topic *topic = &l->recordings;
    struct ws_message *changes = make_message(topic, now, count, false);
    struct ws_message *all = make_message(topic, now, count, true);
    recording_message_finish(topic);
    topic->changes = changes;
    topic->all = all;
    topic->number++;
    topic->count = count;
    memcpy(topic->sent, now, count * sizeof *now);
    topic->progress_ns = clock_after_ms(PROGRESS_MS);
    if (topic->all)
        live_mark_pending(l, LIVE_RECORDINGS);
}

void recording_message_push(struct live *l)
{
    struct recorder *recorder = l->services->recorder;
    struct record_info now[RECORDINGS_SENT];
    struct recording_topic *topic = &l->recordings;
    bool event = false, changed = false;
    if (!recorder || clock_now_ns() < topic->look_ns)
        return;
    topic->look_ns = clock_after_ms(LOOK_MS);
    size_t count = recorder_list(recorder, now, RECORDINGS_SENT);
    count = count < RECORDINGS_SENT ? count : RECORDINGS_SENT;
    for (size_t i = 0; i < count; i++) {
        const struct record_info *sent = find(topic, now[i].id);
        event = event || is_event(&now[i], sent);
        changed = changed || has_changed(&now[i], sent);
    }
    if (event || (changed && clock_now_ns() >= topic->progress_ns))
        announce(l, now, count);
}

/* ---- clients ---------------------------------------------------------------------------- */

struct ws_message *recording_message_next(struct subscriber *u)
{
    const struct recording_topic *topic = &u->live->recordings;
    struct topic_state *t = &u->topic[LIVE_RECORDINGS];
    const bool follows = t->number > 0 && t->number + 1 == topic->number;
    t->number = topic->number;
    if (!topic->all)
        return NULL;
    return ws_message_ref(follows && topic->changes ? topic->changes : topic->all);
}

void recording_message_finish(struct recording_topic *topic)
{
    ws_message_unref(topic->all);
    ws_message_unref(topic->changes);
    topic->all = topic->changes = NULL;
}
