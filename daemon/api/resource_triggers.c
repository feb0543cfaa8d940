/* resource_triggers.c - triggers: the list, one of them, new ones, firing, and their end. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/keys_json.h"
#include "daemon/api/resource.h"
#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/trigger/trigger_setup.h"

/* ---- as JSON ---------------------------------------------------------------------------- */

static json_t *trigger_to_json(struct triggers *t, size_t i)
{
    const struct trigger_setup *setup = triggers_setup(t, i);
    struct trigger_state state;
    triggers_one_state(t, i, &state);
    const struct option_family family = trigger_family();
    const struct option_type type = trigger_type(setup->ops);
    return json_pack(
        "{ss ss sb so so so si}", "name", setup->text.name, "type", setup->ops->name, "armed",
        state.armed, "reason", state.reason[0] ? json_string(state.reason) : json_null(), "events",
        count_to_json(state.events), "keys", keys_to_json(&setup->text, &family, &type),
        "limits_number", (int)state.limits);
}

static json_t *limit_to_json(const struct condition_limit *limit)
{
    json_t *points = json_array();
    for (size_t i = 0; i < limit->count; i++)
        json_array_append_new(
            points, json_pack("[ff]", limit->point[i].hz, round(100 * limit->point[i].dbfs) / 100));
    return points;
}

/* null: the condition has none, or does not know them yet */
static json_t *limits_to_json(struct triggers *t, size_t i)
{
    struct condition_limits *limits = malloc(sizeof *limits);
    json_t *json = limits && triggers_limits(t, i, limits)
                       ? json_pack("{so so}", "upper", limit_to_json(&limits->upper), "lower",
                                   limit_to_json(&limits->lower))
                       : json_null();
    free(limits);
    return json;
}

static int get_all(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    struct triggers *t = call->on->triggers;
    json_t *list = json_array();
    (void)why;
    for (size_t i = 0; t && i < triggers_count(t); i++)
        json_array_append_new(list, trigger_to_json(t, i));
    return api_answer(reply, json_pack("{so}", "triggers", list));
}

static const char unknown[] = "there is no such trigger";

/* False: there is none of this name. */
static bool find(const struct api_call *call, size_t *i)
{
    struct triggers *t = call->on->triggers;
    *i = t ? triggers_find(t, call->name) : 0;
    return t && *i < triggers_count(t);
}

static int get_one(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    size_t i;
    if (!find(call, &i))
        return reason_set(why, -ENOENT, "%s", unknown);
    json_t *trigger = trigger_to_json(call->on->triggers, i);
    json_object_set_new(trigger, "limits", limits_to_json(call->on->triggers, i));
    return api_answer(reply, trigger);
}

/* ---- changes ---------------------------------------------------------------------------- */

static int set(const struct api_call *call, const struct option_text *text, struct reason *why)
{
    struct trigger_setup *setup;
    int err = trigger_setup_create(&setup, text, NULL, why);
    if (err < 0)
        return err;
    err = triggers_set(call->on->triggers, setup);
    if (err == -EMFILE)
        reason_set(why, err, "there are already %d triggers, the maximum", TRIGGERS_MAX);
    return err;
}

static int put(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    size_t i;
    if (!call->on->triggers)
        return reason_set(why, -ENOTSUP, "no triggers are possible here");
    const int err = keys_put(call, reply, !find(call, &i), set, why);
    return err < 0 ? err : get_one(call, reply, why);
}

static int fire(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    const int err = call->on->triggers ? triggers_fire(call->on->triggers, call->name) : -ENOENT;
    if (err == -ENOENT)
        return reason_set(why, err, "%s", unknown);
    if (err == -EAGAIN)
        return reason_set(why, err, "there are no samples yet");
    if (err == -EALREADY)
        return reason_set(why, err, "it is disarmed after its last event");
    return err < 0 ? err : get_one(call, reply, why);
}

static int remove_one(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    const int err = call->on->triggers ? triggers_remove(call->on->triggers, call->name) : -ENOENT;
    (void)reply;
    return err == -ENOENT ? reason_set(why, err, "%s", unknown) : err;
}

const struct api_resource api_triggers = {
    .path = "/api/v1/triggers",
    .tag = "triggers",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_all, "All triggers and their states", .keys = NULL},
        {0},
    }};

const struct api_resource api_trigger = {
    .path = "/api/v1/triggers/",
    .tag = "triggers",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_one, "One trigger, with the limits of its condition",
         .keys = NULL},
        {API_PUT, API_OPERATE, put,
         "Creates or replaces a trigger; /api/v1/trigger-types lists conditions and keys",
         .any_key = true, .example = "{\"type\": \"level\", \"level\": -40}"},
        {API_POST, API_OPERATE, fire, "Fires a trigger now, regardless of its condition",
         .keys = NULL},
        {API_DELETE, API_OPERATE, remove_one, "Removes a trigger", .keys = NULL},
        {0},
    }};
