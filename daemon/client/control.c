/* control.c - parses and checks the messages of browsers, one function for each type. */
#include "daemon/client/control.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"

struct error_text {
    char *text;
    size_t size;
};

static int refuse(const struct error_text *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int refuse(const struct error_text *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    reason_set_args(error->text, error->size, -EINVAL, format, args);
    va_end(args);
    /* jansson quotes the browser's text: the reason stays one line. */
    for (char *at = error->text; *at; at++) {
        if ((unsigned char)*at < ' ' || *at == 127)
            *at = '?';
    }
    return -EINVAL;
}

static int refuse_value(const struct error_text *error, const char *field, const json_t *value,
                        const char *expected)
{
    char excerpt[JSON_EXCERPT];
    return refuse(error, "%s: %s is not %s", field, value_excerpt(value, excerpt), expected);
}

/* Both bounds are included. */
struct range {
    bool whole; /* only whole numbers */
    double min, max;
};

/* Reads a number within `range` into *out. Without the key *out stays as it is. */
static int read_number(const json_t *object, const char *key, const struct range *range,
                       double *out, const struct error_text *error)
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
        return refuse_value(error, key, value, expected);
    *out = number;
    return 0;
}

static int read_count(const json_t *object, const char *key, const uint32_t range[2], uint32_t *out,
                      const struct error_text *error)
{
    const struct range limits = {true, range[0], range[1]};
    double number = *out;
    const int err = read_number(object, key, &limits, &number, error);
    *out = (uint32_t)number;
    return err;
}

/* ---- messages, one function for each type ---------------------------------------------- */

static int parse_hello(struct control *m, const struct error_text *error)
{
    const json_t *token = json_object_get(m->message, "token");
    if (token && !json_is_string(token))
        return refuse(error, "token: not a string");
    m->token = json_string_value(token);
    return 0;
}

static int read_detector(const json_t *message, unsigned *out, const struct error_text *error)
{
    const json_t *value = json_object_get(message, "detector");
    if (!value)
        return 0;
    const int detector = json_is_string(value) ? detector_index(json_string_value(value)) : -1;
    if (detector < 0)
        return refuse_value(error, "detector", value, "mean, max, min or sample");
    *out = (unsigned)detector;
    return 0;
}

/* The names that detectors have, and had, are no functions: say which word is meant. */
static int read_trace(struct control *m, const struct error_text *error)
{
    const json_t *value = json_object_get(m->message, "trace");
    const json_t *restart = json_object_get(m->message, "restart");
    if (restart && !json_is_boolean(restart))
        return refuse_value(error, "restart", restart, "true or false");
    m->restart = json_is_true(restart);
    if (!value)
        return 0;
    for (int f = 0; f < TRACE_FUNCTIONS; f++) {
        m->view.trace.function = (enum trace_function)f;
        if (json_is_string(value) &&
            strcmp(json_string_value(value), trace_function_name(m->view.trace.function)) == 0)
            return 0;
    }
    if (json_is_string(value) && detector_index(json_string_value(value)) >= 0)
        return refuse(error, "trace: \"%s\" is a detector", json_string_value(value));
    return refuse_value(error, "trace", value, TRACE_FUNCTION_NAMES);
}

static int read_trace_count(struct control *m, const struct error_text *error)
{
    const struct range counts = {true, 0, 1e9};
    double count = 0;
    const int err = read_number(m->message, "count", &counts, &count, error);
    m->view.trace.count = (uint64_t)count;
    return err;
}

static int parse_view(struct control *m, const struct error_text *error)
{
    const struct range hertz = {false, -1e15, 1e15};
    m->view = (struct view){.low_hz = NAN, .high_hz = NAN};
    if (!json_object_get(m->message, "id") || !json_object_get(m->message, "columns"))
        return refuse(error, "a view needs id and columns");
    int err = read_count(m->message, "id", (const uint32_t[]){0, UINT32_MAX}, &m->view_id, error);
    if (err == 0)
        err = read_count(m->message, "columns", (const uint32_t[]){1, WIRE_COLUMNS_MAX},
                         &m->view.columns, error);
    if (err == 0)
        err = read_number(m->message, "low_hz", &hertz, &m->view.low_hz, error);
    if (err == 0)
        err = read_number(m->message, "high_hz", &hertz, &m->view.high_hz, error);
    if (err == 0)
        err = read_detector(m->message, &m->view.detector, error);
    if (err == 0)
        err = read_trace(m, error);
    if (err == 0)
        err = read_trace_count(m, error);
    if (err == 0 && m->view.low_hz >= m->view.high_hz) /* false while one is NAN */
        err = refuse(error, "high_hz must be above low_hz");
    return err;
}

static int parse_credit(struct control *m, const struct error_text *error)
{
    m->credit = 1;
    return read_count(m->message, "count", (const uint32_t[]){1, WIRE_CREDIT_MAX}, &m->credit,
                      error);
}

static int parse_density(struct control *m, const struct error_text *error)
{
    const json_t *want = json_object_get(m->message, "want");
    if (want && !json_is_boolean(want))
        return refuse_value(error, "want", want, "true or false");
    m->want = !want || json_is_true(want);
    return 0;
}

static int parse_set(struct control *m, const struct error_text *error)
{
    return setting_change_read(m->message, &m->change, error->text, error->size);
}

static int parse_measure(struct control *m, const struct error_text *error)
{
    const json_t *want = json_object_get(m->message, "want");
    const json_t *remove = json_object_get(m->message, "remove");
    m->measure_setup = json_object_get(m->message, "set");
    m->measure_name = json_string_value(remove);
    if (json_object_size(m->message) != 2 || (!want && !remove && !m->measure_setup))
        return refuse(error, "measure needs one of want, set and remove");
    if (want && !json_is_boolean(want))
        return refuse_value(error, "want", want, "true or false");
    if (remove && !m->measure_name)
        return refuse_value(error, "remove", remove, "a name");
    if (m->measure_setup && !json_is_object(m->measure_setup))
        return refuse_value(error, "set", m->measure_setup, "an object");
    m->measure = want     ? (json_is_true(want) ? MEASURE_WANT : MEASURE_UNWANT)
                 : remove ? MEASURE_REMOVE
                          : MEASURE_SET;
    return 0;
}

static const struct {
    const char *type;
    enum control_kind kind;
    int (*parse)(struct control *m, const struct error_text *error);
} messages[] = {
    {"hello", CONTROL_HELLO, parse_hello},    {"view", CONTROL_VIEW, parse_view},
    {"credit", CONTROL_CREDIT, parse_credit}, {"density", CONTROL_DENSITY, parse_density},
    {"set", CONTROL_SET, parse_set},          {"measure", CONTROL_MEASURE, parse_measure},
};

int control_parse(struct control *out, const char *text, size_t size, char *error,
                  size_t error_size)
{
    const struct error_text where = {error, error_size};
    json_error_t why;
    *out = (struct control){.message = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why)};
    if (!out->message)
        return refuse(&where, "not JSON: %s", why.text);
    const json_t *type = json_object_get(out->message, "type");
    if (!json_is_string(type))
        return refuse(&where, "a message is an object with a type");
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        if (strcmp(json_string_value(type), messages[i].type) == 0) {
            out->kind = messages[i].kind;
            return messages[i].parse(out, &where);
        }
    }
    return refuse_value(&where, "type", type, "hello, view, credit, density, set or measure");
}

void control_finish(struct control *c)
{
    json_decref(c->message);
    *c = (struct control){0};
}
