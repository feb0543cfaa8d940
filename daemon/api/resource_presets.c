/* resource_presets.c - settings that are stored by name. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/api/resource.h"
#include "daemon/api/values.h"
#include "daemon/base/reason.h"

static json_t *find(const struct api_call *call)
{
    return json_object_get(call->on->radio->presets.all, call->name);
}

static int get_presets(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    (void)why;
    return api_answer(reply, json_pack("{sO}", "presets", call->on->radio->presets.all));
}

static int get_preset(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    json_t *found = find(call);
    if (!found)
        return reason_set(why, -ENOENT, "there is no such preset");
    return api_answer(reply, json_incref(found));
}

/* True: the preset is recalled, not stored. */
static const struct config_option keys[] = {
    {"presets", "recall", .kind = OPTION_FLAG, .offset = 0, .size = sizeof(bool), .fallback = "no",
     .help = "Whether to apply the stored settings, which requires the lease of the radio"},
    {0},
};

static int put_preset(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    bool recall = false;
    const bool is_new = !find(call);
    struct radio_control *radio = call->on->radio;
    int err = api_values_read(call->values, keys, &recall, why);
    if (err == 0)
        err = recall ? radio_control_recall_preset(radio, call->name, call->by, why)
                     : radio_control_store_preset(radio, call->name, why);
    if (err < 0)
        return err;
    if (is_new)
        snprintf(reply->made, sizeof reply->made, "%s", call->name);
    return get_preset(call, reply, why);
}

static int remove_preset(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    (void)reply;
    return radio_control_remove_preset(call->on->radio, call->name, why);
}

const struct api_resource api_presets = {
    .path = "/api/v1/presets",
    .tag = "radio",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_presets, "All presets with their settings", .keys = NULL},
        {0},
    }};

const struct api_resource api_preset = {
    .path = "/api/v1/presets/",
    .tag = "radio",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_preset, "The settings of one preset", .keys = NULL},
        {API_PUT, API_OPERATE, put_preset, "Stores the settings in force, or recalls stored ones",
         .keys = keys, .example = "{}"},
        {API_DELETE, API_OPERATE, remove_preset, "Removes a preset", .keys = NULL},
        {0},
    }};
