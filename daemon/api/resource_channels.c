/* resource_channels.c - the channels that are open. */
#include <math.h>
#include <stdlib.h>

#include "daemon/api/resource.h"
#include "daemon/api/values.h"
#include "daemon/base/json.h"
#include "daemon/channel/channels.h"

static json_t *channel_to_json(const struct channel_info *i)
{
    char squelch[40];
    squelch_format(&i->request.squelch, squelch, sizeof squelch);
    return json_pack(
        "{so ss so so so so so sb so so so ss sb so}", "id", count_to_json(i->id), "state",
        channel_state_name(i->state), "message", text_to_json(i->message), "center_hz",
        number_to_json(i->request.center_hz), "rate_hz", number_to_json(i->request.rate_hz),
        "width_hz", number_to_json(2 * i->pass_hz), "stop_hz", number_to_json(i->stop_hz), "cut",
        i->cut, "samples", count_to_json(i->samples), "level_dbfs", number_to_json(i->level_dbfs),
        "noise_dbfs", number_to_json(i->noise_dbfs), "squelch", squelch, "squelch_open",
        i->squelch_open, "transmissions", count_to_json(i->transmissions));
}

static json_t *list(struct channels *c)
{
    json_t *all = json_array();
    struct channels_state state;
    channels_state(c, &state);
    struct channel_info *info = c && state.open > 0 ? calloc(state.open, sizeof *info) : NULL;
    const size_t count = info ? channels_list(c, info, state.open) : 0;
    for (size_t i = 0; i < count && i < state.open; i++)
        json_array_append_new(all, channel_to_json(&info[i]));
    free(info);
    return all;
}

static int get_all(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    struct channels_state state;
    (void)why;
    channels_state(call->on->channels, &state);
    return api_answer(reply, json_pack("{so so so so so}", "max", count_to_json(state.most),
                                       "opened_total", count_to_json(state.opened_total), "missed",
                                       count_to_json(state.missed), "block_s",
                                       number_to_json(state.block_s), "channels",
                                       list(call->on->channels)));
}

const struct api_resource api_channels = {
    .path = "/api/v1/channels",
    .tag = "channels",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_all, "The channels that are open", .keys = NULL},
        {0},
    }};
