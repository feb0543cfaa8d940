/* text_json.c - reads the set-up of a measurement from a client's JSON object. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/measure/measure_setup.h"

/* The text that the file would have: "25000", "yes", or the string. NULL: none of these. */
static const char *text_of(const json_t *value, char into[NUMBER_TEXT])
{
    if (json_is_string(value))
        return json_string_value(value);
    if (json_is_boolean(value))
        return json_is_true(value) ? "yes" : "no";
    if (!json_is_number(value))
        return NULL;
    return number_text(json_number_value(value), into);
}

static int add(struct option_text *out, const char *key, const char *value, struct reason *why)
{
    if (strcmp(key, "name") == 0) {
        out->name = strdup(value);
        return out->name ? 0 : -ENOMEM;
    }
    const int err = option_text_add(out, key, value, 0);
    if (err == -EINVAL)
        return reason_set(why, err, "control character in a key or value");
    if (err == -E2BIG)
        return reason_set(why, -EINVAL, "more than %d keys", OPTION_KEYS_MAX);
    return err;
}

int measure_text_from_json(struct option_text *out, const json_t *object, struct reason *why)
{
    const char *key;
    json_t *value;
    char number[NUMBER_TEXT];
    int err = 0;
    *out = (struct option_text){0};
    if (!json_is_object(object))
        return reason_set(why, -EINVAL, "a measurement is an object");
    json_object_foreach((json_t *)object, key, value)
    {
        const char *text = text_of(value, number);
        if (!text)
            err = reason_set(why, -EINVAL, "%s: not a text, number or boolean", key);
        else
            err = add(out, key, text, why);
        if (err < 0)
            break;
    }
    if (err == -ENOMEM)
        reason_set(why, err, "no memory for a measurement");
    return err;
}
