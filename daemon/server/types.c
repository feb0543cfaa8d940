/* types.c - /api/v1/measure-types, /api/v1/trigger-types: types and their keys, as JSON. */
#include "daemon/measure/measure_setup.h"
#include "daemon/server/internal.h"
#include "daemon/trigger/trigger_setup.h"

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
static json_t *keys_to_json(const struct config_option *options, size_t count)
{
    json_t *keys = json_array();
    for (size_t i = 0; i < count; i++)
        if (!option_place(&options[i]))
            json_array_append_new(keys, key_to_json(&options[i]));
    return keys;
}

static json_t *family_to_json(const struct option_family *f)
{
    json_t *types = json_array();
    for (size_t i = 0; i < f->type_count; i++) {
        const struct option_type type = f->type(i);
        json_array_append_new(types,
                              json_pack("{ss ss so}", "name", type.name, "about", type.about,
                                        "keys", keys_to_json(type.options, type.option_count)));
    }
    return json_pack("{so so}", "types", types, "common", keys_to_json(f->common, f->common_count));
}

void answer_measure_types(struct server *s, const struct request *r, struct answer *a)
{
    const struct option_family family = measure_family();
    (void)r;
    answer_json(s, family_to_json(&family), JSON_REAL_PRECISION(12), a);
}

void answer_trigger_types(struct server *s, const struct request *r, struct answer *a)
{
    const struct option_family family = trigger_family();
    (void)r;
    answer_json(s, family_to_json(&family), JSON_REAL_PRECISION(12), a);
}
