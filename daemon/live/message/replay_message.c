/* replay_message.c - the message "replay": the anchors of a recording. */
#include "daemon/base/json.h"
#include "daemon/http/internal.h"

/* ---- anchors ---------------------------------------------------------------------------- */

void replay_on_line(struct server *s, const struct line *line)
{
    struct server_replay *r = &s->replay;
    const struct server_anchor *newest = &r->anchors[(r->count - 1) % SERVER_ANCHORS];
    if (line->anchor.id == 0 || (r->count > 0 && newest->anchor.id == line->anchor.id))
        return;
    r->anchors[r->count++ % SERVER_ANCHORS] = (struct server_anchor){
        .line = line->number, .rate_hz = line->tuning.rate_hz, .anchor = line->anchor};
}

bool replay_is_news(const struct client *c)
{
    return c->welcomed && c->anchors_sent != c->server->replay.count;
}

static json_t *anchor_to_json(const struct server_anchor *a)
{
    static const char *const jumps[] = {
        [REPLAY_FOLLOWS] = "follows", [REPLAY_SEEK] = "seek", [REPLAY_LOOP] = "loop"};
    const struct replay_anchor *at = &a->anchor.at;
    json_t *time = at->has_time ? json_real((double)at->time_ns * 1e-9) : json_null();
    return json_pack("{so so so so ss}", "line", count_to_json(a->line), "first_sample",
                     count_to_json(a->anchor.number), "position",
                     number_to_json((double)at->position / a->rate_hz), "time", time, "jump",
                     jumps[at->jump]);
}

struct frame *replay_message_next(struct client *c)
{
    const struct server_replay *r = &c->server->replay;
    json_t *anchors = json_array();
    if (r->count - c->anchors_sent > SERVER_ANCHORS)
        c->anchors_sent = r->count - SERVER_ANCHORS;
    for (; c->anchors_sent != r->count; c->anchors_sent++)
        json_array_append_new(anchors,
                              anchor_to_json(&r->anchors[c->anchors_sent % SERVER_ANCHORS]));
    return frame_from_json(json_pack("{ss so}", "type", "replay", "anchors", anchors));
}
