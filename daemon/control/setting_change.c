/* setting_change.c - reads changes of settings by the rules of the option table. */
#include "daemon/control/setting_change.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/one_line.h"
#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/config/config.h"
#include "daemon/config/options.h"
#include "daemon/control/fields.h"

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
           o->kind == OPTION_INDEX || o->kind == OPTION_FLAG;
}

/* The name comes from the browser: it is quoted, so that the reason stays one line. */
static int refuse_field(const char *name, struct reason *why)
{
    char excerpt[JSON_EXCERPT];
    json_t *quoted = json_string(name);
    const int err =
        reason_set(why, -EINVAL, "%s: there is no such field", value_excerpt(quoted, excerpt));
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

int setting_change_read(const json_t *fields, struct setting_change *out, struct reason *why)
{
    const char *name;
    json_t *value;
    *out = (struct setting_change){0};
    json_object_foreach((json_t *)fields, name, value)
    {
        char text[TEXT_SIZE], excerpt[JSON_EXCERPT];
        if (strcmp(name, "type") == 0) /* of a message that is a change */
            continue;
        if (!is_one_line(name))
            return refuse_field(name, why);
        if (fields_text(value, text, sizeof text) < 0)
            return reason_set(why, -EINVAL, "%.60s: %s is not a text or a number", name,
                              value_excerpt(value, excerpt));
        if (setting_change_add(out, name, text, why) < 0)
            return -EINVAL;
    }
    setting_change_complete(out);
    return 0;
}

/* A number, true and false as they are, other texts in quotes. */
static int refuse_value(size_t field, const char *text, struct reason *why)
{
    double number;
    char expected[256], excerpt[JSON_EXCERPT];
    const bool plain =
        si_parse(text, &number) == 0 || strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
    json_t *quoted = json_string(text);
    const char *shown = plain ? text : value_excerpt(quoted, excerpt);
    reason_set(why, -EINVAL, "%s: %.80s is not %s", setting_fields[field].name, shown,
               option_expected(option_of(field), expected, sizeof expected));
    json_decref(quoted);
    return -EINVAL;
}

int setting_change_add(struct setting_change *change, const char *name, const char *text,
                       struct reason *why)
{
    struct config read = {.settings = change->values};
    const size_t field = find_field(name);
    if (radio_change_is_field(name) && is_one_line(name) && is_one_line(text))
        return radio_change_add(&change->radio, name, text, why);
    if (field == setting_field_count)
        return refuse_field(name, why);
    const struct config_option *o = option_of(field);
    if (change->fields & 1U << field)
        return reason_set(why, -EINVAL, "%s: given twice", name);
    if (!is_one_line(text) || (!*text && !is_text(o)) || option_parse(o, text, &read) < 0)
        return refuse_value(field, text, why);
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
