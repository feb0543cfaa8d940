/*
 * control_merge.c - the fields of a "set" message: names for the settings of the options' table.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/client/control.h"
#include "daemon/config/config.h"
#include "daemon/config/options.h"

const struct control_field control_fields[] = {
    {"center_hz", "center"},  {"rate_hz", "rate"},           {"gain", "gain"},
    {"ppm", "ppm"},           {"bandwidth_hz", "bandwidth"}, {"antenna", "antenna"},
    {"fft_size", "fft-size"}, {"overlap", "overlap"},        {"window", "window"},
    {"average", "average"},   {"line_rate", "line-rate"},
};

const size_t control_field_count = sizeof control_fields / sizeof *control_fields;

static const struct config_option *find_field(const char *field)
{
    for (size_t i = 0; i < control_field_count; i++) {
        if (strcmp(control_fields[i].name, field) == 0)
            return option_find(NULL, control_fields[i].key);
    }
    return NULL;
}

static bool is_text(const struct config_option *o)
{
    return o->kind == OPTION_LABEL || o->kind == OPTION_WINDOW;
}

/* The value as the table's texts are written: a gain may be a number, a number may not be a text.
 */
static int to_text(const struct config_option *o, const json_t *value, char text[128])
{
    const char *string = json_string_value(value);
    int length = -1;
    if (string && is_text(o) && strlen(string) == json_string_length(value))
        length = snprintf(text, 128, "%s", string);
    else if (json_is_number(value) && o->kind != OPTION_WINDOW)
        length = snprintf(text, 128, "%.17g", json_number_value(value));
    for (int i = 0; i < length && i < 128; i++) {
        if ((unsigned char)text[i] < ' ' || text[i] == 127)
            return -EINVAL;
    }
    return length >= 0 && length < 128 && (length > 0 || is_text(o)) ? 0 : -EINVAL;
}

static int put(const char *field, const json_t *value, struct config *into, char *error,
               size_t error_size)
{
    char text[128], shown[40], expected[256];
    const struct config_option *o = find_field(field);
    if (!o) {
        snprintf(error, error_size, "%.40s: there is no such field", field);
        return -EINVAL;
    }
    if (to_text(o, value, text) == 0 && option_parse(o, text, into) == 0)
        return 0;
    snprintf(error, error_size, "%s: %s is not %s", field, control_show(value, shown),
             option_expected(o, expected, sizeof expected));
    return -EINVAL;
}

int control_merge(const json_t *set, struct settings *want, char *error, size_t error_size)
{
    struct config merged = {.settings = *want};
    const char *field;
    json_t *value;
    json_object_foreach((json_t *)set, field, value)
    {
        if (strcmp(field, "type") != 0 && put(field, value, &merged, error, error_size) < 0)
            return -EINVAL;
    }
    if (json_object_get(set, "line_rate") && !json_object_get(set, "average"))
        merged.settings.average = 0; /* else the rate would change nothing */
    *want = merged.settings;
    return 0;
}
