/* recording_message.c - recordings for websocket clients: those that are new or have changed. */
#include "daemon/live/message/recording_message.h"

#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/json.h"
#include "daemon/live/live.h"
#include "daemon/wire/frame.h"

enum { LOOK_MS = 100, PROGRESS_MS = 1000 };

/* ---- what has changed ------------------------------------------------------------------- */

static const struct record_info *find(const struct recording_news *news, uint64_t id)
{
    for (size_t i = 0; i < news->count; i++)
        if (news->told[i].id == id)
            return &news->told[i];
    return NULL;
}

static bool is_event(const struct record_info *now, const struct record_info *told)
{
    return !told || told->state != now->state || strcmp(told->name, now->name) != 0;
}

static bool has_changed(const struct record_info *now, const struct record_info *told)
{
    return is_event(now, told) || told->samples != now->samples || told->missing != now->missing;
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
static struct frame *make_message(const struct recording_news *news, const struct record_info *now,
                                  size_t count, bool all)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        if (all || has_changed(&now[i], find(news, now[i].id)))
            json_array_append_new(list, info_to_json(&now[i]));
    return frame_from_json(json_pack("{ss so}", "type", "recording", "recordings", list));
}

static void announce(struct live *l, const struct record_info *now, size_t count)
{
    struct recording_news *news = &l->recordings;
    struct frame *changes = make_message(news, now, count, false);
    struct frame *all = make_message(news, now, count, true);
    recording_message_finish(news);
    news->changes = changes;
    news->all = all;
    news->number++;
    news->count = count;
    memcpy(news->told, now, count * sizeof *now);
    news->progress_ns = clock_after_ms(PROGRESS_MS);
    if (news->all)
        live_make_due(l, LIVE_RECORDINGS);
}

void recording_message_push(struct live *l)
{
    struct recorder *recorder = l->services->recorder;
    struct record_info now[RECORDINGS_TOLD];
    struct recording_news *news = &l->recordings;
    bool event = false, changed = false;
    if (!recorder || clock_now_ns() < news->look_ns)
        return;
    news->look_ns = clock_after_ms(LOOK_MS);
    size_t count = recorder_list(recorder, now, RECORDINGS_TOLD);
    count = count < RECORDINGS_TOLD ? count : RECORDINGS_TOLD;
    for (size_t i = 0; i < count; i++) {
        const struct record_info *told = find(news, now[i].id);
        event = event || is_event(&now[i], told);
        changed = changed || has_changed(&now[i], told);
    }
    if (event || (changed && clock_now_ns() >= news->progress_ns))
        announce(l, now, count);
}

/* ---- clients ---------------------------------------------------------------------------- */

struct frame *recording_message_next(struct subscriber *u)
{
    const struct recording_news *news = &u->live->recordings;
    struct topic_state *t = &u->topic[LIVE_RECORDINGS];
    const bool follows = t->number > 0 && t->number + 1 == news->number;
    t->number = news->number;
    if (!news->all)
        return NULL;
    return frame_hold(follows && news->changes ? news->changes : news->all);
}

void recording_message_finish(struct recording_news *news)
{
    frame_drop(news->all);
    frame_drop(news->changes);
    news->all = news->changes = NULL;
}
