/* radio_change.c - gain elements and settings of the driver as fields of "set". */
#include "daemon/control/radio_change.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/pairs.h"
#include "daemon/base/reason.h"

/* The rest of the name after the prefix; NULL: it has another one. */
static const char *after(const char *prefix, const char *name)
{
    const size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 && name[length] ? name + length : NULL;
}

bool radio_change_is_field(const char *name)
{
    return after(RADIO_GAIN, name) || after(RADIO_SETTING, name);
}

int radio_change_add(struct radio_change *c, const char *name, const char *text, struct reason *why)
{
    const char *element = after(RADIO_GAIN, name);
    const char *key = element ? element : after(RADIO_SETTING, name);
    char *list = element ? c->gains : c->settings;
    const size_t size = element ? sizeof c->gains : sizeof c->settings;
    struct pair pair;
    if (strpbrk(key, ",= ") || strchr(text, ','))
        return reason_key(why, -EINVAL, name, "%.60s: not a name and a text without commas", name);
    if (pairs_find(list, key, &pair))
        return reason_key(why, -EINVAL, name, "%.60s: given twice", name);
    if (strlen(key) >= PAIR_KEY || strlen(text) >= PAIR_VALUE ||
        pairs_set(list, size, key, text) < 0)
        return reason_key(why, -EINVAL, name, "%.60s: too long", name);
    return 0;
}

/* ---- applying --------------------------------------------------------------------------- */

/* Pairs that replace those of a list. */
struct merging {
    const char *prefix; /* of their names */
    const char *pairs;
    char *into;
    size_t size;
};

static int merge(struct merging m, const struct radio_options *radio, struct reason *why)
{
    char name[80], expected[256];
    struct pair pair;
    while (pairs_next(&m.pairs, &pair)) {
        snprintf(name, sizeof name, "%s%s", m.prefix, pair.key);
        const struct radio_option *o = radio_options_find(radio, name);
        if (!o)
            return reason_key(why, -EINVAL, name, "%s: the radio has no such option", name);
        if (radio_option_check(o, pair.value, expected, sizeof expected) < 0)
            return reason_key(why, -EINVAL, name, "%s: %.60s is not %s", name, pair.value,
                              expected);
        if (pairs_set(m.into, m.size, pair.key, pair.value) < 0)
            return reason_key(why, -EINVAL, name, "%s: all together are too long", name);
    }
    return 0;
}

int radio_change_apply(const struct radio_change *c, const struct radio_options *radio,
                       const struct stream *now, struct settings *settings, struct reason *why)
{
    struct tuning *t = &settings->tuning;
    if (c->gains[0] && !strchr(t->gain, '='))
        snprintf(t->gain, sizeof t->gain, "%s", now->gains);
    const struct merging gains = {RADIO_GAIN, c->gains, t->gain, sizeof t->gain};
    const struct merging others = {RADIO_SETTING, c->settings, t->settings, sizeof t->settings};
    const int err = merge(gains, radio, why);
    return err < 0 ? err : merge(others, radio, why);
}

/* ---- choices ---------------------------------------------------------------------------- */

/* Texts as they are; proposals as numbers. */
static json_t *values_to_json(const struct radio_option *o)
{
    json_t *values = json_array();
    for (const char *at = o->values; *at; at += strcspn(at, "\n") + 1)
        json_array_append_new(values, o->open ? json_real(strtod(at, NULL))
                                              : json_stringn(at, strcspn(at, "\n")));
    return values;
}

/* What the option table says is replaced where the radio knows better. */
static void describe(json_t *choice, const struct radio_option *o)
{
    char expected[256];
    if (o->label[0]) {
        (void)radio_option_check(o, "", expected, sizeof expected);
        json_object_set_new(choice, "label", json_string(o->label));
        json_object_set_new(choice, "group",
                            json_string(after(RADIO_GAIN, o->name) ? "radio" : "driver"));
        json_object_set_new(choice, "help", json_string(o->help));
        json_object_set_new(choice, "expected", json_string(expected));
    }
    if (o->unit[0])
        json_object_set_new(choice, "unit", json_string(o->unit));
    if (o->max > o->min && !o->open)
        json_object_update_new(choice, json_pack("{sf sf}", "min", o->min, "max", o->max));
    if (o->step > 0)
        json_object_set_new(choice, "step", json_real(o->step));
    if (o->values[0])
        json_object_set_new(choice, o->open ? "proposals" : "values", values_to_json(o));
}

void radio_options_add_choices(json_t *choices, const struct radio_options *radio)
{
    for (uint32_t i = 0; radio && i < radio->count; i++) {
        const struct radio_option *o = &radio->option[i];
        json_t *choice = json_object_get(choices, o->name);
        if (!choice) {
            choice = json_object();
            json_object_set_new(choices, o->name, choice);
        }
        describe(choice, o);
    }
}
