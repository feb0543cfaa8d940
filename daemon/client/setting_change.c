/* setting_change.c - reads the fields of a "set" message by the rules of the option table. */
#include "daemon/client/setting_change.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/config/config.h"
#include "daemon/config/options.h"

enum { TEXT_SIZE = 128 };

const struct setting_field setting_fields[] = {
    {"center_hz", "center", "Centre"},
    {"rate_hz", "rate", "Sample rate"},
    {"gain", "gain", "Gain"},
    {"ppm", "ppm", "Correction"},
    {"converter_hz", "converter", "Converter"},
    {"bandwidth_hz", "bandwidth", "Bandwidth"},
    {"antenna", "antenna", "Antenna"},
    {"fft_size", "fft-size", "FFT size"},
    {"rbw_hz", "rbw", "RBW"},
    {"overlap", "overlap", "Overlap"},
    {"window", "window", "Window"},
    {"vbw_hz", "vbw", "VBW"},
    {"average", "average", "Frames per line"},
    {"line_rate", "line-rate", "Line rate"},
    {"dc_removal", "dc-removal", "DC removal"},
    {"iq_correction", "iq-correction", "IQ correction"},
    {"span", "span", "Sweep span"},
    {"dwell", "dwell", "Dwell"},
    {"usable_band", "usable-band", "Usable band"},
    {"dc_spur", "dc-spur", "DC spur"},
};

const size_t setting_field_count = sizeof setting_fields / sizeof *setting_fields;

/* Index into setting_fields; setting_field_count: there is no such field. */
static size_t find_field(const char *name)
{
    size_t i = 0;
    while (i < setting_field_count && strcmp(setting_fields[i].name, name) != 0)
        i++;
    return i;
}

static const struct config_option *option_of(size_t field)
{
    return option_find(NULL, setting_fields[field].key);
}

/* ---- reading ---------------------------------------------------------------------------- */

static bool is_text(const struct config_option *o)
{
    return o->kind == OPTION_LABEL || o->kind == OPTION_WINDOW || o->kind == OPTION_SPAN ||
           o->kind == OPTION_INDEX;
}

static bool has_control_character(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < ' ' || *text == 127)
            return true;
    }
    return false;
}

/*
 * Writes the value as the option table expects it. A label may be a number (gain 32.5), but a
 * number may not be a string.
 */
static int to_text(const struct config_option *o, const json_t *value, char text[TEXT_SIZE])
{
    const char *string = json_string_value(value);
    int length = -1;
    if (string && is_text(o) && strlen(string) == json_string_length(value))
        length = snprintf(text, TEXT_SIZE, "%s", string);
    else if (json_is_number(value) && o->kind != OPTION_WINDOW && o->kind != OPTION_SPAN &&
             o->kind != OPTION_INDEX)
        length = snprintf(text, TEXT_SIZE, "%.17g", json_number_value(value));
    if (length < 0 || length >= TEXT_SIZE || (length == 0 && !is_text(o)))
        return -EINVAL;
    return has_control_character(text) ? -EINVAL : 0;
}

static int read_field(size_t field, const json_t *value, struct config *into, char *error,
                      size_t error_size)
{
    char text[TEXT_SIZE], excerpt[JSON_EXCERPT], expected[256];
    const struct config_option *o = option_of(field);
    if (to_text(o, value, text) == 0 && option_parse(o, text, into) == 0)
        return 0;
    return reason_set(error, error_size, -EINVAL, "%s: %s is not %s", setting_fields[field].name,
                      value_excerpt(value, excerpt), option_expected(o, expected, sizeof expected));
}

/* A text, a number, or true or false. */
static int read_radio_field(const char *name, const json_t *value, struct radio_change *into,
                            char *error, size_t error_size)
{
    char number[32], excerpt[JSON_EXCERPT];
    const char *text = json_string_value(value);
    if (json_is_number(value))
        snprintf(number, sizeof number, "%.12g", json_number_value(value));
    if (json_is_boolean(value))
        snprintf(number, sizeof number, "%s", json_is_true(value) ? "true" : "false");
    if (!text && (json_is_number(value) || json_is_boolean(value)))
        text = number;
    if (!text || has_control_character(text) || has_control_character(name))
        return reason_set(error, error_size, -EINVAL, "%.60s: %s is not a text or a number",
                          has_control_character(name) ? "a field" : name,
                          value_excerpt(value, excerpt));
    return radio_change_add(into, name, text, error, error_size);
}

/* The name comes from the browser: it is quoted, so that the reason stays one line. */
static int refuse_field(const char *name, char *error, size_t error_size)
{
    char excerpt[JSON_EXCERPT];
    json_t *quoted = json_string(name);
    const int err = reason_set(error, error_size, -EINVAL, "%s: there is no such field",
                               value_excerpt(quoted, excerpt));
    json_decref(quoted);
    return err;
}

/* The values of a field that is not in the message are 0. */
void setting_change_complete(struct setting_change *change)
{
    static const struct {
        const char *given, *overriding;
    } pairs[] = {{"line_rate", "average"},
                 {"line_rate", "vbw_hz"},
                 {"average", "vbw_hz"},
                 {"fft_size", "rbw_hz"},
                 {"dwell", "average"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (change->fields & 1U << find_field(pairs[i].given))
            change->fields |= 1U << find_field(pairs[i].overriding);
    }
}

int setting_change_read(const json_t *message, struct setting_change *out, char *error,
                        size_t error_size)
{
    struct config read = {0};
    const char *name;
    json_t *value;
    *out = (struct setting_change){0};
    json_object_foreach((json_t *)message, name, value)
    {
        const size_t field = find_field(name);
        if (strcmp(name, "type") == 0)
            continue;
        if (radio_change_is_field(name)) {
            if (read_radio_field(name, value, &out->radio, error, error_size) < 0)
                return -EINVAL;
            continue;
        }
        if (field == setting_field_count)
            return refuse_field(name, error, error_size);
        if (read_field(field, value, &read, error, error_size) < 0)
            return -EINVAL;
        out->fields |= 1U << field;
    }
    out->values = read.settings;
    setting_change_complete(out);
    return 0;
}

int setting_change_add(struct setting_change *change, const char *name, const char *text,
                       char *error, size_t error_size)
{
    struct config read = {.settings = change->values};
    char expected[256];
    const size_t field = find_field(name);
    if (radio_change_is_field(name) && !has_control_character(name) && !has_control_character(text))
        return radio_change_add(&change->radio, name, text, error, error_size);
    if (field == setting_field_count)
        return refuse_field(name, error, error_size);
    const struct config_option *o = option_of(field);
    if (change->fields & 1U << field)
        return reason_set(error, error_size, -EINVAL, "%s: given twice", name);
    if (has_control_character(text) || (!*text && !is_text(o)) || option_parse(o, text, &read) < 0)
        return reason_set(error, error_size, -EINVAL, "%s: expected %s", name,
                          option_expected(o, expected, sizeof expected));
    change->values = read.settings;
    change->fields |= 1U << field;
    return 0;
}

/* ---- applying --------------------------------------------------------------------------- */

void setting_change_apply(const struct setting_change *change, struct settings *settings)
{
    for (size_t i = 0; i < setting_field_count; i++) {
        const struct config_option *o = option_of(i);
        const size_t at = o->offset - offsetof(struct config, settings);
        if (change->fields & 1U << i)
            memcpy((char *)settings + at, (const char *)&change->values + at, o->size);
    }
}
