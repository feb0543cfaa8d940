/* keys_json.c - reads and lists the keys of measurements, triggers and channels; their types. */
#include "daemon/api/keys_json.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/api/resource.h"
#include "daemon/api/values.h"
#include "daemon/control/choices.h"
#include "daemon/trigger/trigger_setup.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

json_t *keys_to_json(const struct option_text *text, const struct option_family *family,
                     const struct option_type *type)
{
    json_t *keys = json_object();
    for (size_t i = 0; i < text->count; i++) {
        const char *key = text->keys[i].key, *value = text->keys[i].value;
        const struct config_option *o = option_family_find(family, type, key);
        const char *place = o ? option_place(o) : NULL;
        if (!o || (place && strcmp(place, "file") != 0))
            continue; /* the type has a member of its own; a URL may have a secret in it */
        json_object_set_new(keys, key, json_string(place ? base_name(value) : value));
    }
    return keys;
}

static int add(void *into, const char *key, const char *value, struct reason *why)
{
    const int err = option_text_add(into, key, value, 0);
    if (err == -EEXIST)
        return reason_key(why, err, key, "%s: given twice", key);
    if (err == -E2BIG)
        return reason_set(why, -EINVAL, "more than %d keys", OPTION_KEYS_MAX);
    return err < 0 ? reason_set(why, err, "a key or value is not valid") : 0;
}

/* Finish the text in any case. */
static int read_keys(struct option_text *out, const struct api_call *call, struct reason *why)
{
    *out = (struct option_text){.name = strdup(call->name)};
    if (!out->name)
        return -ENOMEM;
    if (!option_name_is_valid(call->name))
        return reason_set(why, -EINVAL, "name: expected %s", option_name_expected);
    return api_values_each(call->values, add, out, why);
}

int keys_put(const struct api_call *call, struct api_reply *reply, bool is_new,
             int (*set)(const struct api_call *call, const struct option_text *text,
                        struct reason *why),
             struct reason *why)
{
    struct option_text text;
    int err = read_keys(&text, call, why);
    if (err == 0)
        err = set(call, &text, why);
    option_text_finish(&text);
    if (err == 0 && is_new)
        snprintf(reply->made, sizeof reply->made, "%s", call->name);
    return err;
}

/* ---- types ------------------------------------------------------------------------------ */

static json_t *key_to_json(const struct config_option *o)
{
    json_t *key = json_pack("{ss ss ss}", "key", o->key, "about", o->help, "default", o->fallback);
    json_t *choice = choice_to_json(o, NULL);
    if (key && choice)
        json_object_update(key, choice);
    json_decref(choice);
    return key;
}

/* Those that clients may set. */
static json_t *options_to_json(const struct config_option *options, size_t count)
{
    json_t *keys = json_array();
    for (size_t i = 0; i < count; i++)
        if (!option_place(&options[i]))
            json_array_append_new(keys, key_to_json(&options[i]));
    return keys;
}

/* The types of a family with their keys. */
static json_t *family_to_json(const struct option_family *f)
{
    json_t *types = json_array();
    for (size_t i = 0; i < f->type_count; i++) {
        const struct option_type type = f->type(i);
        json_array_append_new(types,
                              json_pack("{ss ss so}", "name", type.name, "about", type.about,
                                        "keys", options_to_json(type.options, type.option_count)));
    }
    return json_pack("{so so}", "types", types, "common",
                     options_to_json(f->common, f->common_count));
}

static int get_measurement_types(const struct api_call *call, struct api_reply *reply,
                                 struct reason *why)
{
    const struct option_family family = measure_family();
    (void)call;
    (void)why;
    return api_answer(reply, family_to_json(&family));
}

static int get_trigger_types(const struct api_call *call, struct api_reply *reply,
                             struct reason *why)
{
    const struct option_family family = trigger_family();
    (void)call;
    (void)why;
    return api_answer(reply, family_to_json(&family));
}

const struct api_resource api_measurement_types = {
    .path = "/api/v1/measurement-types",
    .tag = "measurements",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_measurement_types, "The types of measurements and their keys",
         .keys = NULL},
        {0},
    }};

const struct api_resource api_trigger_types = {
    .path = "/api/v1/trigger-types",
    .tag = "triggers",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_trigger_types, "The conditions of triggers and their keys",
         .keys = NULL},
        {0},
    }};
