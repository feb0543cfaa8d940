/*
 * triggers.c - the triggers for clients: /api/v1/triggers, /api/v1/events, the message "event", and
 * changes.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/server/internal.h"
#include "daemon/trigger/trigger_setup.h"

const char server_trigger_path[] = "/api/v1/triggers/";

/* ---- triggers ---------------------------------------------------------------------------- */

static json_t *trigger_to_json(struct triggers *t, size_t i)
{
    const struct trigger_setup *setup = triggers_setup(t, i);
    struct trigger_state state;
    triggers_one_state(t, i, &state);
    const struct option_family family = trigger_family();
    const struct option_type type = trigger_type(setup->ops);
    json_t *keys = server_keys_json(&setup->text, &family, &type);
    return json_pack("{ss ss sb so so so si}", "name", setup->text.name, "type", setup->ops->name,
                     "armed", state.armed, "reason",
                     state.reason[0] ? json_string(state.reason) : json_null(), "events",
                     count_to_json(state.events), "keys", keys, "limits_number", (int)state.limits);
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

void answer_triggers(struct server *s, const struct request *r, struct answer *a)
{
    struct triggers *t = s->hooks.triggers;
    json_t *list = json_array();
    (void)r;
    for (size_t i = 0; t && i < triggers_count(t); i++)
        json_array_append_new(list, trigger_to_json(t, i));
    answer_json(s, json_pack("{so}", "triggers", list), JSON_REAL_PRECISION(12), a);
}

void answer_trigger(struct server *s, const struct request *r, struct answer *a)
{
    struct triggers *t = s->hooks.triggers;
    const size_t i = t ? triggers_find(t, r->path + strlen(server_trigger_path)) : 0;
    if (!t || i == triggers_count(t)) {
        answer_text(a, 404, "%s: there is no such trigger\n", r->path);
        return;
    }
    json_t *trigger = trigger_to_json(t, i);
    json_object_set_new(trigger, "limits", limits_to_json(t, i));
    answer_json(s, trigger, JSON_REAL_PRECISION(12), a);
}

/* ---- changes ----------------------------------------------------------------------------- */

int server_set_trigger(struct server *s, const struct measure_text *text, char *error,
                       size_t error_size)
{
    struct trigger_setup *setup;
    if (!s->hooks.triggers)
        return reason_set(error, error_size, -ENOTSUP, "no triggers are possible here");
    if (!text->name || !measure_name_is_valid(text->name))
        return reason_set(error, error_size, -EINVAL, "name: expected %s", measure_name_expected);
    int err = trigger_setup_create(&setup, text, NULL, error, error_size);
    if (err < 0)
        return err;
    err = triggers_set(s->hooks.triggers, setup);
    if (err == -EMFILE)
        reason_set(error, error_size, err, "there are %d triggers, and no more are possible",
                   TRIGGERS_MAX);
    return err;
}

int server_remove_trigger(struct server *s, const char *name, char *error, size_t error_size)
{
    const int err = s->hooks.triggers ? triggers_remove(s->hooks.triggers, name) : -ENOENT;
    if (err == -ENOENT)
        reason_set(error, error_size, err, "there is no such trigger");
    return err;
}

int server_fire_trigger(struct server *s, const char *name, char *error, size_t error_size)
{
    const int err = s->hooks.triggers ? triggers_fire(s->hooks.triggers, name) : -ENOENT;
    if (err == -ENOENT)
        reason_set(error, error_size, err, "there is no such trigger");
    else if (err == -EAGAIN)
        reason_set(error, error_size, err, "there are no samples yet");
    else if (err == -EALREADY)
        reason_set(error, error_size, err, "it is disarmed after its last event");
    return err;
}
