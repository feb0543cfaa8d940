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
#include "daemon/config/option_table.h"
#include "daemon/control/fields.h"
#include "daemon/option/option.h"

enum { TEXT_SIZE = 128 };

const struct config_option *setting_at(size_t i)
{
    for (size_t row = 0; row < option_count(); row++)
        if (option_at(row)->api && i-- == 0)
            return option_at(row);
    return NULL;
}

size_t setting_count(void)
{
    size_t count = 0;
    while (setting_at(count))
        count++;
    return count;
}

/* The position of a setting; setting_count(): there is no such field. */
static size_t find_field(const char *name)
{
    size_t i = 0;
    for (const struct config_option *o; (o = setting_at(i)) && strcmp(o->api, name) != 0;)
        i++;
    return i;
}

static uint64_t bit(size_t field)
{
    return UINT64_C(1) << field;
}

/* ---- reading ---------------------------------------------------------------------------- */

static bool is_text(const struct config_option *o)
{
    return o->kind == OPTION_LABEL || o->kind == OPTION_WINDOW || o->kind == OPTION_OTHER ||
           o->kind == OPTION_INDEX || o->kind == OPTION_FLAG;
}

/* The name comes from the browser: it is quoted, so that the reason stays one line. */
static int refuse_field(const char *name, struct reason *why)
{
    char excerpt[JSON_EXCERPT];
    json_t *quoted = json_string(name);
    const int err = reason_key(why, -EINVAL, name, "%s: there is no such field",
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
        if (change->fields & bit(find_field(pairs[i].given)))
            change->fields |= bit(find_field(pairs[i].overriding));
    }
}

/* True: it is given, and neither 0 nor empty. */
static bool is_used(const struct setting_change *change, const struct config *values,
                    const struct config_option *o)
{
    static const struct config none;
    return o->api && change->fields & bit(find_field(o->api)) && !option_is_same(o, &none, values);
}

int setting_change_check(const struct setting_change *change, const struct settings *now,
                         struct reason *why)
{
    const struct config wanted = {.settings = change->values}, current = {.settings = *now};
    const struct config_exclusion *x;
    for (size_t i = 0; (x = config_exclusion_at(i)); i++) {
        const struct config_option *a = option_find(NULL, x->a), *b = option_find(NULL, x->b);
        const bool used = is_used(change, &wanted, a) && is_used(change, &wanted, b);
        if (used && !(option_is_same(a, &wanted, &current) && option_is_same(b, &wanted, &current)))
            return reason_key(why, -EINVAL, a->api, "%s and %s cannot be given together: %s",
                              a->api, b->api, x->why);
    }
    return 0;
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
            return reason_key(why, -EINVAL, name, "%.60s: %s is not a text or a number", name,
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
    reason_key(why, -EINVAL, setting_at(field)->api, "%s: %.80s is not %s", setting_at(field)->api,
               shown, option_expected(setting_at(field), expected, sizeof expected));
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
    if (field == setting_count())
        return refuse_field(name, why);
    const struct config_option *o = setting_at(field);
    if (change->fields & bit(field))
        return reason_key(why, -EINVAL, name, "%s: given twice", name);
    if (!is_one_line(text) || (!*text && !is_text(o)) || option_parse(o, text, &read) < 0)
        return refuse_value(field, text, why);
    change->values = read.settings;
    change->fields |= bit(field);
    return 0;
}

/* ---- applying --------------------------------------------------------------------------- */

void setting_change_apply(const struct setting_change *change, struct settings *settings)
{
    for (size_t i = 0; i < setting_count(); i++) {
        const struct config_option *o = setting_at(i);
        const size_t at = o->offset - offsetof(struct config, settings);
        if (change->fields & bit(i))
            memcpy((char *)settings + at, (const char *)&change->values + at, o->size);
    }
}
