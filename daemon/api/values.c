/* values.c - reads the values of a call by the rows of options. */
#include "daemon/api/values.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/near_name.h"
#include "daemon/base/one_line.h"
#include "daemon/control/fields.h"

static int refuse(const char *key, const json_t *value, const char *expected, struct reason *why)
{
    char excerpt[JSON_EXCERPT];
    return reason_key(why, -EINVAL, key, "%s: %s is not %s", key, value_excerpt(value, excerpt),
                      expected);
}

int api_value_text(const char *key, const json_t *value, char text[API_VALUE_TEXT],
                   struct reason *why)
{
    if (!is_one_line(key))
        return reason_set(why, -EINVAL, "a key has a control character");
    return fields_text(value, text, API_VALUE_TEXT) == 0
               ? 0
               : refuse(key, value, "a text of one line, a number, true or false", why);
}

int api_values_each(const json_t *values,
                    int (*add)(void *into, const char *key, const char *text, struct reason *why),
                    void *into, struct reason *why)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)values, key, value)
    {
        char text[API_VALUE_TEXT];
        int err = api_value_text(key, value, text, why);
        if (err == 0)
            err = add(into, key, text, why);
        if (err < 0) {
            reason_name(why, key);
            return err;
        }
    }
    return 0;
}

int api_values_read(const json_t *values, const struct config_option *keys, void *into,
                    struct reason *why)
{
    for (const struct config_option *o = keys; o && o->key; o++) {
        char text[API_VALUE_TEXT], expected[256];
        const json_t *value = json_object_get(values, o->key);
        if (!value)
            continue;
        const int err = api_value_text(o->key, value, text, why);
        if (err < 0)
            return err;
        if (option_parse(o, text, into) < 0)
            return refuse(o->key, value, option_expected(o, expected, sizeof expected), why);
    }
    return 0;
}

bool api_values_have(const json_t *values, const char *key)
{
    return json_object_get(values, key) != NULL;
}

/* The nearest of the names; NULL: none is near. */
static const char *nearest(const char *key, const char *const names[], size_t count)
{
    char folded[NEAR_NAME_MAX + 1], name[NEAR_NAME_MAX + 1];
    const char *best = NULL;
    unsigned least = NEAR_NAME_FAR;
    if (!near_name_fold(key, folded))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const unsigned distance =
            near_name_fold(names[i], name) ? near_name_distance(folded, name) : NEAR_NAME_FAR;
        const size_t length = strlen(key);
        const bool without_unit = strncmp(names[i], key, length) == 0 && names[i][length] == '_';
        if (without_unit)
            return names[i];
        if (distance < least) {
            least = distance;
            best = names[i];
        }
    }
    return best;
}

/* The key comes from outside: it is quoted, so that the sentence stays one line. */
static int refuse_key(const char *key, const char *const names[], size_t count, struct reason *why)
{
    char excerpt[JSON_EXCERPT], known[320] = "";
    const char *meant = nearest(key, names, count);
    json_t *quoted = json_string(key);
    size_t length = 0;
    for (size_t i = 0; i < count && length < sizeof known; i++)
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "",
                                   names[i]);
    const char *shown = value_excerpt(quoted, excerpt);
    reason_name(why, key);
    if (meant)
        reason_set(why, -EINVAL, "%s: there is no such key; did you mean %s?", shown, meant);
    else if (count > 0)
        reason_set(why, -EINVAL, "%s: there is no such key (known: %s%s)", shown, known,
                   length >= sizeof known ? "..." : "");
    else
        reason_set(why, -EINVAL, "%s: there is no such key; this takes none", shown);
    json_decref(quoted);
    return -EINVAL;
}

int api_check_key(const char *key, const char *const names[], size_t count, struct reason *why)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], key) == 0)
            return 0;
    return refuse_key(key, names, count, why);
}
