#include "daemon/client/control.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct complaint {
    char *text;
    size_t size;
};

static int refuse(const struct complaint *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int refuse(const struct complaint *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(c->text, c->size, format, args); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    va_end(args);
    return -EINVAL;
}

const char *control_show(const json_t *value, char into[40])
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    const bool cut = text && strlen(text) > 36;
    snprintf(into, 40, "%.36s%s", text ? text : "?", cut ? "..." : "");
    free(text);
    return into;
}

static int refuse_value(const struct complaint *c, const char *field, const json_t *value,
                        const char *wants)
{
    char text[40];
    return refuse(c, "%s: %s is not %s", field, control_show(value, text), wants);
}

enum kind { NUMBER, WHOLE_NUMBER };

/* A number from low to high; none leaves *out alone. */
static int take(const json_t *object, const char *key, enum kind kind, const double range[2],
                double *out, const struct complaint *c)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return 0;
    const double number = json_number_value(value);
    char wants[64];
    snprintf(wants, sizeof wants, "a %s from %.10g to %.10g",
             kind == WHOLE_NUMBER ? "whole number" : "number", range[0], range[1]);
    if (!json_is_number(value) || !(number >= range[0] && number <= range[1]) ||
        (kind == WHOLE_NUMBER && number != floor(number)))
        return refuse_value(c, key, value, wants);
    *out = number;
    return 0;
}

static int take_count(const json_t *object, const char *key, const uint32_t range[2], uint32_t *out,
                      const struct complaint *c)
{
    const double limits[] = {range[0], range[1]};
    double number = *out;
    const int err = take(object, key, WHOLE_NUMBER, limits, &number, c);
    *out = (uint32_t)number;
    return err;
}

/* ---- messages, one function a type ------------------------------------------------------ */

static int parse_hello(struct control *m, const struct complaint *c)
{
    const json_t *token = json_object_get(m->message, "token");
    if (token && !json_is_string(token))
        return refuse(c, "token: it is not text");
    m->token = json_string_value(token);
    return 0;
}

static int take_trace(const json_t *message, unsigned *out, const struct complaint *c)
{
    const json_t *value = json_object_get(message, "trace");
    if (!value)
        return 0;
    const int trace = json_is_string(value) ? trace_index(json_string_value(value)) : -1;
    if (trace < 0)
        return refuse_value(c, "trace", value, "mean, max, min or sample");
    *out = (unsigned)trace;
    return 0;
}

static int parse_view(struct control *m, const struct complaint *c)
{
    const double hertz[2] = {-1e15, 1e15};
    m->view = (struct view){.low_hz = NAN, .high_hz = NAN};
    if (!json_object_get(m->message, "id") || !json_object_get(m->message, "columns"))
        return refuse(c, "a view needs id and columns");
    int err = take_count(m->message, "id", (const uint32_t[]){0, UINT32_MAX}, &m->view_id, c);
    if (!err)
        err = take_count(m->message, "columns", (const uint32_t[]){1, WIRE_COLUMNS_MAX},
                         &m->view.columns, c);
    if (!err)
        err = take(m->message, "low_hz", NUMBER, hertz, &m->view.low_hz, c);
    if (!err)
        err = take(m->message, "high_hz", NUMBER, hertz, &m->view.high_hz, c);
    if (!err)
        err = take_trace(m->message, &m->view.trace, c);
    if (!err && m->view.low_hz >= m->view.high_hz) /* false while one is NAN */
        err = refuse(c, "high_hz must be above low_hz");
    return err;
}

static int parse_credit(struct control *m, const struct complaint *c)
{
    m->credit = 1;
    return take_count(m->message, "count", (const uint32_t[]){1, WIRE_CREDIT_MAX}, &m->credit, c);
}

static int parse_set(struct control *m, const struct complaint *c)
{
    struct settings nowhere = {0};
    return control_merge(m->message, &nowhere, c->text, c->size);
}

static const struct {
    const char *type;
    enum control_kind kind;
    int (*parse)(struct control *m, const struct complaint *c);
} messages[] = {
    {"hello", CONTROL_HELLO, parse_hello},
    {"view", CONTROL_VIEW, parse_view},
    {"credit", CONTROL_CREDIT, parse_credit},
    {"set", CONTROL_SET, parse_set},
};

int control_parse(struct control *out, const char *text, size_t size, char *error,
                  size_t error_size)
{
    const struct complaint c = {error, error_size};
    json_error_t why;
    *out = (struct control){.message = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why)};
    if (!out->message)
        return refuse(&c, "not JSON: %s", why.text);
    const json_t *type = json_object_get(out->message, "type");
    if (!json_is_string(type))
        return refuse(&c, "a message is an object with a type");
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        if (strcmp(json_string_value(type), messages[i].type) == 0) {
            out->kind = messages[i].kind;
            return messages[i].parse(out, &c);
        }
    }
    return refuse_value(&c, "type", type, "hello, view, credit or set");
}

void control_finish(struct control *c)
{
    json_decref(c->message);
    *c = (struct control){0};
}
