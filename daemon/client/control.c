/* control.c - parses and checks the messages of browsers, one function for each type. */
#include "daemon/client/control.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/control/fields.h"
#include "daemon/option/option_text.h"

/* ---- messages, one function for each type ---------------------------------------------- */

/* What people call this client. */
static int read_name(struct control *m, struct reason *why)
{
    const json_t *name = json_object_get(m->message, "name");
    m->name = json_string_value(name);
    if (name &&
        (!m->name || strlen(m->name) != json_string_length(name) || !fields_is_name(m->name)))
        return fields_refuse_value(why, "name", name, "a text of at most 32 bytes");
    return 0;
}

static int parse_hello(struct control *m, struct reason *why)
{
    const json_t *token = json_object_get(m->message, "token");
    if (token && !json_is_string(token))
        return reason_set(why, -EINVAL, "token: not a string");
    m->token = json_string_value(token);
    const json_t *status = json_object_get(m->message, "status");
    const char *form = json_string_value(status);
    m->status_changes = form && strcmp(form, "changes") == 0;
    if (status && !m->status_changes && (!form || strcmp(form, "full") != 0))
        return fields_refuse_value(why, "status", status, "full or changes");
    return read_name(m, why);
}

/* ---- calls ------------------------------------------------------------------------------ */

static int read_id(struct control *m, struct reason *why)
{
    m->id = json_object_get(m->message, "id");
    return json_is_integer(m->id) || json_is_string(m->id)
               ? 0
               : reason_set(why, -EINVAL, "a call has an id: a whole number or a text");
}

/* The sentence begins with the key, as those of resources do. */
static int check_keys(const json_t *message, const char *const names[], const char *what,
                      struct reason *why)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)message, key, value)
    {
        size_t i = 0;
        while (names[i] && strcmp(names[i], key) != 0)
            i++;
        if (!names[i])
            return reason_key(why, -EINVAL, key, "%.40s: a %s has no such key", key, what);
    }
    return 0;
}

/* {"id":7,"put":"/api/v1/settings","body":{...}} */
static int parse_call(struct control *m, const char *verb, struct reason *why)
{
    const json_t *path = json_object_get(m->message, verb);
    const json_t *body = json_object_get(m->message, "body");
    const char *names[] = {"id", verb, "body", NULL};
    const char *text = json_string_value(path);
    if (!text || !text[0] || strlen(text) != json_string_length(path))
        return fields_refuse_value(why, verb, path, "the path of a resource");
    if (text[strcspn(text, "&;?#")])
        return reason_key(why, -EINVAL, verb,
                          "%s: in a path, & ; ? and # are written %%26 %%3B %%3F and %%23", verb);
    if (read_id(m, why) < 0)
        return -EINVAL;
    if (body && !json_is_object(body))
        return fields_refuse_value(why, "body", body, "an object");
    const int err = check_keys(m->message, names, "call", why);
    if (err < 0)
        return err;
    m->kind = CONTROL_CALL;
    m->call.verb = verb;
    m->call.values = body ? json_copy((json_t *)body) : json_object();
    const int length = snprintf(m->call.path, CONTROL_PATH, "%s", text);
    return length < CONTROL_PATH ? 0 : reason_set(why, -EINVAL, "the path is too long");
}

/* ---- views ------------------------------------------------------------------------------ */

static int read_detector(const json_t *message, struct view *out, struct reason *why)
{
    const json_t *value = json_object_get(message, "detector");
    const char *name = json_string_value(value);
    if (!value)
        return 0;
    if (!name || !detector_parse(name, &out->detector, &out->percent))
        return fields_refuse_value(why, "detector", value,
                                   "mean, max, min, sample, median, or a percentile as p90");
    return 0;
}

static int read_reduction(const json_t *message, enum reduction *out, struct reason *why)
{
    const json_t *value = json_object_get(message, "reduction");
    const int how = json_is_string(value) ? reduction_index(json_string_value(value)) : -1;
    if (!value)
        return 0;
    if (how < 0)
        return fields_refuse_value(why, "reduction", value, REDUCTION_NAMES);
    *out = (enum reduction)how;
    return 0;
}

/* The names that detectors have, and had, are no functions: say which word is meant. */
static int read_trace(struct control *m, struct reason *why)
{
    const json_t *value = json_object_get(m->message, "trace");
    const json_t *restart = json_object_get(m->message, "restart");
    if (restart && !json_is_boolean(restart))
        return fields_refuse_value(why, "restart", restart, "true or false");
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
        return reason_set(why, -EINVAL, "trace: \"%s\" is a detector", json_string_value(value));
    return fields_refuse_value(why, "trace", value, TRACE_FUNCTION_NAMES);
}

static int read_trace_count(struct control *m, struct reason *why)
{
    const struct field_range counts = {true, 0, 1e9};
    double count = 0;
    const int err = fields_number(m->message, "count", &counts, &count, why);
    m->view.trace.count = (uint64_t)count;
    return err;
}

static const struct field_range step_range = {false, 0.25, 20};

/* The coding of levels or hits. */
static int read_coding(const json_t *message, enum wire_coding *out, struct reason *why)
{
    const json_t *value = json_object_get(message, "coding");
    const char *name = value ? json_string_value(value) : "plain";
    if (!name || (strcmp(name, "plain") != 0 && strcmp(name, "range") != 0))
        return fields_refuse_value(why, "coding", value, "plain or range");
    *out = strcmp(name, "range") == 0 ? WIRE_RANGE : WIRE_PLAIN;
    return 0;
}

/* A VBW without a trace is that of an exponential average. */
static int read_vbw(struct control *m, struct reason *why)
{
    const struct field_range hertz = {false, 0, 1e9};
    struct trace_choice *trace = &m->view.trace;
    const int err = fields_number(m->message, "vbw_hz", &hertz, &trace->vbw_hz, why);
    if (err < 0 || !(trace->vbw_hz > 0))
        return err;
    if (!json_object_get(m->message, "trace"))
        trace->function = TRACE_EXPONENTIAL;
    if (!trace_averages(trace->function))
        return reason_set(why, -EINVAL, "vbw_hz: the trace %s does not average",
                          trace_function_name(trace->function));
    if (trace->count > 0)
        return reason_set(why, -EINVAL, "count and vbw_hz: one follows from the other");
    return 0;
}

static int read_math(struct control *m, struct reason *why)
{
    const json_t *value = json_object_get(m->message, "math");
    const json_t *reference = json_object_get(m->message, "reference");
    const char *name = json_string_value(reference);
    const int math = json_is_string(value) ? reference_math_index(json_string_value(value)) : -1;
    if (value && math < 0)
        return fields_refuse_value(why, "math", value, MATH_NAMES);
    m->view.math = value ? (enum reference_math)math : MATH_NONE;
    if (reference && (!name || strlen(name) >= REFERENCE_NAME || !option_name_is_valid(name)))
        return fields_refuse_value(why, "reference", reference, "the name of a reference");
    if ((m->view.math != MATH_NONE) != (name != NULL))
        return reason_set(why, -EINVAL, "math and reference belong together");
    if (name)
        memcpy(m->view.reference, name, strlen(name) + 1);
    return 0;
}

static int read_slot(struct control *m, struct reason *why)
{
    const json_t *off = json_object_get(m->message, "off");
    if (off && !json_is_boolean(off))
        return fields_refuse_value(why, "off", off, "true or false");
    m->off = json_is_true(off);
    return fields_count(m->message, "slot", (const uint32_t[]){0, FEED_SLOTS - 1}, &m->slot, why);
}

static int parse_view(struct control *m, struct reason *why)
{
    const struct field_range hertz = {false, -1e15, 1e15};
    m->view = (struct view){.low_hz = NAN, .high_hz = NAN};
    int err = read_slot(m, why);
    if (err < 0 || m->off)
        return err;
    if (!json_object_get(m->message, "id") || !json_object_get(m->message, "columns"))
        return reason_set(why, -EINVAL, "a view needs id and columns");
    err = fields_count(m->message, "id", (const uint32_t[]){0, UINT32_MAX}, &m->view_id, why);
    if (err == 0)
        err = fields_count(m->message, "columns", (const uint32_t[]){1, WIRE_COLUMNS_MAX},
                           &m->view.columns, why);
    if (err == 0)
        err = fields_number(m->message, "low_hz", &hertz, &m->view.low_hz, why);
    if (err == 0)
        err = fields_number(m->message, "high_hz", &hertz, &m->view.high_hz, why);
    if (err == 0)
        err = read_detector(m->message, &m->view, why);
    if (err == 0)
        err = read_reduction(m->message, &m->view.reduction, why);
    if (err == 0)
        err = read_trace(m, why);
    if (err == 0)
        err = read_trace_count(m, why);
    if (err == 0)
        err = read_coding(m->message, &m->view.coding, why);
    if (err == 0)
        err = fields_number(m->message, "step_db", &step_range, &m->view.step_db, why);
    if (err == 0)
        err = read_vbw(m, why);
    if (err == 0)
        err = read_math(m, why);
    if (err == 0 && m->view.low_hz >= m->view.high_hz) /* false while one is NAN */
        err = reason_set(why, -EINVAL, "high_hz must be above low_hz");
    return err;
}

static int parse_credit(struct control *m, struct reason *why)
{
    m->credit = 1;
    return fields_count(m->message, "count", (const uint32_t[]){1, WIRE_CREDIT_MAX}, &m->credit,
                        why);
}

/* ---- subscriptions ---------------------------------------------------------------------- */

static int read_form(struct control *m, struct reason *why)
{
    struct density_form *form = &m->subscription.form;
    const int err = read_coding(m->message, &form->coding, why);
    return err < 0 ? err : fields_number(m->message, "step_db", &step_range, &form->step_db, why);
}

static int refuse_topic(const char *verb, const json_t *topic, struct reason *why)
{
    char known[160] = "";
    size_t length = 0;
    for (unsigned i = 0; i < api_topic_count() && length < sizeof known; i++)
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                                   i == 0                      ? ""
                                   : i + 1 < api_topic_count() ? ", "
                                                               : " or ",
                                   api_topic_name(i));
    return fields_refuse_value(why, verb, topic, known);
}

/* {"id":8,"subscribe":"measurements","rate":2} */
static int parse_subscription(struct control *m, const char *verb, struct reason *why)
{
    static const struct field_range rates = {false, 0.001, 1000};
    const json_t *topic = json_object_get(m->message, verb);
    const char *name = json_is_string(topic) ? json_string_value(topic) : "";
    struct control_subscription *of = &m->subscription;
    *of = (struct control_subscription){.topic = api_topic_find(name),
                                        .on = strcmp(verb, "subscribe") == 0};
    m->kind = CONTROL_SUBSCRIBE;
    if (of->topic == api_topic_count())
        return refuse_topic(verb, topic, why);
    const bool is_density = of->on && of->topic == TOPIC_DENSITY;
    const char *names[] = {"id",      verb, of->on ? "rate" : NULL, is_density ? "coding" : NULL,
                           "step_db", NULL};
    int err = read_id(m, why);
    if (err == 0)
        err = check_keys(m->message, names, "subscription", why);
    if (err == 0)
        err = fields_number(m->message, "rate", &rates, &of->rate_hz, why);
    return err < 0 ? err : read_form(m, why);
}

static const struct {
    const char *type;
    enum control_kind kind;
    int (*parse)(struct control *m, struct reason *why);
} messages[] = {
    {"hello", CONTROL_HELLO, parse_hello},
    {"view", CONTROL_VIEW, parse_view},
    {"credit", CONTROL_CREDIT, parse_credit},
};

int control_parse(struct control *out, const char *text, size_t size, struct reason *why)
{
    json_error_t wrong;
    char fault[JSON_FAULT];
    *out = (struct control){.message = json_loadb(text, size, JSON_REJECT_DUPLICATES, &wrong)};
    if (!out->message)
        return reason_set(why, -EINVAL, "not JSON: %s", json_fault(&wrong, fault));
    static const char *const verbs[] = {"get", "put", "patch", "post", "delete"};
    static const char *const ways[] = {"subscribe", "unsubscribe"};
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (json_object_get(out->message, verbs[i])) {
            out->is_call = true;
            return parse_call(out, verbs[i], why);
        }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (json_object_get(out->message, ways[i])) {
            out->is_call = true;
            return parse_subscription(out, ways[i], why);
        }
    const json_t *type = json_object_get(out->message, "type");
    if (!json_is_string(type))
        return reason_set(why, -EINVAL,
                          "a message is an object with a type, or a call: get, put, "
                          "patch, post, delete, subscribe or "
                          "unsubscribe");
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        if (strcmp(json_string_value(type), messages[i].type) == 0) {
            out->kind = messages[i].kind;
            return messages[i].parse(out, why);
        }
    }
    return fields_refuse_value(why, "type", type,
                               "hello, view or credit; all else is a call: get, put, patch, post, "
                               "delete, subscribe or unsubscribe");
}

void control_finish(struct control *c)
{
    json_decref(c->message);
    json_decref(c->call.values);
    *c = (struct control){0};
}
