/* resource_replay.c - the replay of a recording: where it is, its speed, loop and pause. */
#include <errno.h>

#include "daemon/api/resource.h"
#include "daemon/api/values.h"
#include "daemon/base/reason.h"
#include "daemon/status/status_json.h"

static int get_replay(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    struct status now;
    (void)why;
    radio_control_status(call->on->radio, &now);
    return api_answer(reply, replay_to_json(&now.replay));
}

static int read_change(const json_t *values, struct replay_change *change, struct reason *why)
{
    *change = (struct replay_change){0};
    for (size_t i = 0; replay_keys[i].key; i++)
        change->fields |= (unsigned)api_values_have(values, replay_keys[i].key) << i;
    return change->fields == 0 ? reason_set(why, -EINVAL, "nothing is given to change")
                               : api_values_read(values, replay_keys, &change->values, why);
}

static int change(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    struct replay_change change;
    int err = read_change(call->values, &change, why);
    if (err == 0)
        err = radio_control_replay(call->on->radio, &change, call->by, why);
    return err < 0 ? err : get_replay(call, reply, why);
}

#define EXAMPLE "{\"paused\": true}"

const struct api_resource api_replay = {
    .path = "/api/v1/replay",
    .tag = "radio",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_replay, "The replay of a recording; null with a radio",
         .keys = NULL},
        {API_PUT, API_TUNE, change, "Pauses, seeks, or changes speed, loop and range",
         .keys = replay_keys, .example = EXAMPLE},
        {API_PATCH, API_TUNE, change, "The same as PUT", .keys = replay_keys, .example = EXAMPLE},
        {0},
    }};
