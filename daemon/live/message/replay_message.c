/* replay_message.c - the message "replay": the anchors of a recording. */
#include "daemon/live/message/replay_message.h"

#include "daemon/base/json.h"
#include "daemon/live/live.h"
#include "daemon/wire/ws_message.h"

void replay_message_on_line(struct replay_topic *r, const struct line *line)
{
    const struct line_anchor *newest = &r->anchors[(r->count - 1) % REPLAY_ANCHORS].anchor;
    if (line->anchor.id == 0 || (r->count > 0 && newest->id == line->anchor.id))
        return;
    const uint64_t at = r->count++ % REPLAY_ANCHORS;
    r->anchors[at].line = line->number;
    r->anchors[at].rate_hz = line->tuning.rate_hz;
    r->anchors[at].anchor = line->anchor;
}

bool replay_message_is_pending(const struct subscriber *u)
{
    return u->topic[LIVE_REPLAY].number != u->live->replay.count;
}

static json_t *anchor_to_json(const struct replay_topic *r, uint64_t number)
{
    static const char *const jumps[] = {
        [REPLAY_FOLLOWS] = "follows", [REPLAY_SEEK] = "seek", [REPLAY_LOOP] = "loop"};
    const uint64_t i = number % REPLAY_ANCHORS;
    const struct line_anchor *anchor = &r->anchors[i].anchor;
    const struct replay_anchor *at = &anchor->at;
    json_t *time = at->has_time ? json_real((double)at->time_ns * 1e-9) : json_null();
    return json_pack("{so so so so ss}", "line", count_to_json(r->anchors[i].line), "first_sample",
                     count_to_json(anchor->number), "position",
                     number_to_json((double)at->position / r->anchors[i].rate_hz), "time", time,
                     "jump", jumps[at->jump]);
}

struct ws_message *replay_message_next(struct subscriber *u)
{
    const struct replay_topic *r = &u->live->replay;
    uint64_t *sent = &u->topic[LIVE_REPLAY].number;
    json_t *anchors = json_array();
    if (r->count - *sent > REPLAY_ANCHORS)
        *sent = r->count - REPLAY_ANCHORS;
    for (; *sent != r->count; (*sent)++)
        json_array_append_new(anchors, anchor_to_json(r, *sent));
    return ws_message_from_json(json_pack("{ss so}", "type", "replay", "anchors", anchors));
}
