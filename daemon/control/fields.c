/* fields.c - reads the fields of a message. */
#include "daemon/control/fields.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/one_line.h"
#include "daemon/base/reason.h"

int fields_refuse_value(struct reason *why, const char *field, const json_t *value,
                        const char *expected)
{
    char excerpt[JSON_EXCERPT];
    return reason_key(why, -EINVAL, field, "%s: %s is not %s", field, value_excerpt(value, excerpt),
                      expected);
}

int fields_number(const json_t *object, const char *key, const struct field_range *range,
                  double *out, struct reason *why)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return 0;
    const double number = json_number_value(value);
    char expected[64];
    snprintf(expected, sizeof expected, "a %s from %.10g to %.10g",
             range->whole ? "whole number" : "number", range->min, range->max);
    if (!json_is_number(value) || !(number >= range->min && number <= range->max) ||
        (range->whole && number != floor(number)))
        return fields_refuse_value(why, key, value, expected);
    *out = number;
    return 0;
}

int fields_count(const json_t *object, const char *key, const uint32_t range[2], uint32_t *out,
                 struct reason *why)
{
    const struct field_range limits = {true, range[0], range[1]};
    double number = *out;
    const int err = fields_number(object, key, &limits, &number, why);
    *out = (uint32_t)number;
    return err;
}

int fields_text(const json_t *value, char *into, size_t size)
{
    const char *string = json_string_value(value);
    int length = -1;
    if (string && strlen(string) == json_string_length(value) && is_one_line(string))
        length = snprintf(into, size, "%s", string);
    else if (json_is_integer(value))
        length = snprintf(into, size, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        length = snprintf(into, size, "%.15g", json_real_value(value));
    else if (json_is_boolean(value))
        length = snprintf(into, size, "%s", json_is_true(value) ? "true" : "false");
    return length >= 0 && (size_t)length < size ? 0 : -EINVAL;
}

bool fields_is_name(const char *text)
{
    return strlen(text) < CLIENT_NAME && is_one_line(text);
}

int fields_check_keys(const json_t *object, const char *const names[], const char *what,
                      struct reason *why)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        size_t i = 0;
        while (names[i] && strcmp(names[i], key) != 0)
            i++;
        if (!names[i])
            return reason_key(why, -EINVAL, key, "%s: unknown field %.40s", what, key);
    }
    return 0;
}
