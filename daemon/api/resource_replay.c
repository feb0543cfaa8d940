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

static int add(void *into, const char *key, const char *text, struct reason *why)
{
    return replay_change_add(into, key, text, why);
}

static int change(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    struct replay_change change = {0};
    int err = api_values_each(call->values, add, &change, why);
    if (err == 0 && change.fields == 0)
        err = reason_set(why, -EINVAL, "nothing is given to change");
    if (err == 0)
        err = radio_control_replay(call->on->radio, &change, call->by, why);
    return err < 0 ? err : get_replay(call, reply, why);
}

static const struct api_key keys[] = {
    {"paused", "true or false", NULL},
    {"loop", "true or false: whether it begins again after its end", NULL},
    {"speed", "0.1 to 16 times real time; 0: as fast as possible", NULL},
    {"position", "seconds from the beginning of the recording", NULL},
    {"from", "seconds at which the replay begins", NULL},
    {"to", "seconds at which it ends; 0: the end of the recording", NULL},
    {0},
};

#define EXAMPLE "{\"paused\": true}"

const struct api_resource api_replay = {
    .path = "/api/v1/replay",
    .tag = "radio",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_replay, "The replay of a recording; null with a radio",
         .keys = NULL},
        {API_PUT, API_TUNE, change, "Pauses, seeks, or changes speed, loop and range", .more = keys,
         .example = EXAMPLE},
        {API_PATCH, API_TUNE, change, "The same as PUT", .more = keys, .example = EXAMPLE},
        {0},
    }};
