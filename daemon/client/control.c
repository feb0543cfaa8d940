/* control.c - parses and checks the messages of browsers, one function for each type. */
#include "daemon/client/control.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/client/marker_request.h"
#include "daemon/config/measure_text.h"
#include "daemon/control/fields.h"

/* ---- messages, one function for each type ---------------------------------------------- */

/* What people call this client. */
static int read_name(struct control *m, const struct error_text *error)
{
    const json_t *name = json_object_get(m->message, "name");
    m->name = json_string_value(name);
    if (name &&
        (!m->name || strlen(m->name) != json_string_length(name) || !fields_is_name(m->name)))
        return fields_refuse_value(error, "name", name, "a text of at most 32 bytes");
    return 0;
}

static int parse_hello(struct control *m, const struct error_text *error)
{
    const json_t *token = json_object_get(m->message, "token");
    if (token && !json_is_string(token))
        return fields_refuse(error, "token: not a string");
    m->token = json_string_value(token);
    const json_t *status = json_object_get(m->message, "status");
    const char *form = json_string_value(status);
    m->status_changes = form && strcmp(form, "changes") == 0;
    if (status && !m->status_changes && (!form || strcmp(form, "full") != 0))
        return fields_refuse_value(error, "status", status, "full or changes");
    return read_name(m, error);
}

/* ---- calls ------------------------------------------------------------------------------ */

/* name: appended to the path; NULL: none. values: taken over; NULL: {}. */
static int make_call(struct control *m, const char *verb, const char *path, const char *name,
                     json_t *values, const struct error_text *error)
{
    m->kind = CONTROL_CALL;
    m->call.verb = verb;
    m->call.values = values ? values : json_object();
    const int length = snprintf(m->call.path, CONTROL_PATH, "%s%s", path, name ? name : "");
    return length < CONTROL_PATH ? 0 : fields_refuse(error, "the name is too long");
}

/* {"id":7,"put":"/api/v1/settings","body":{...}} */
static int parse_call(struct control *m, const char *verb, const struct error_text *error)
{
    const json_t *path = json_object_get(m->message, verb);
    const json_t *body = json_object_get(m->message, "body");
    const json_t *id = json_object_get(m->message, "id");
    const char *names[] = {"id", verb, "body", NULL};
    const char *text = json_string_value(path);
    if (!text || strlen(text) != json_string_length(path))
        return fields_refuse_value(error, verb, path, "the path of a resource");
    if (!json_is_integer(id) && !json_is_string(id))
        return fields_refuse(error, "a call has an id: a whole number or a text");
    if (body && !json_is_object(body))
        return fields_refuse_value(error, "body", body, "an object");
    const int err = fields_check_keys(m->message, names, "call", error);
    m->call.id = id;
    return err < 0 ? err : make_call(m, verb, text, NULL, json_copy((json_t *)body), error);
}

static json_t *without_type(const json_t *message)
{
    json_t *values = json_copy((json_t *)message);
    json_object_del(values, "type");
    return values;
}

static int parse_set(struct control *m, const struct error_text *error)
{
    return make_call(m, "put", "/api/v1/settings", NULL, without_type(m->message), error);
}

static int parse_replay(struct control *m, const struct error_text *error)
{
    return make_call(m, "put", "/api/v1/replay", NULL, without_type(m->message), error);
}

static int parse_lease(struct control *m, const struct error_text *error)
{
    static const char *const names[] = {"type", "want", "name", NULL};
    const json_t *want = json_object_get(m->message, "want");
    const char *word = json_is_string(want) ? json_string_value(want) : "";
    const bool take = strcmp(word, "take") == 0, release = strcmp(word, "release") == 0;
    if (want && !take && !release)
        return fields_refuse_value(error, "want", want, "take or release");
    if (!want && !json_object_get(m->message, "name"))
        return fields_refuse(error, "lease needs want or name");
    int err = fields_check_keys(m->message, names, "lease", error);
    if (err == 0)
        err = read_name(m, error);
    if (err < 0 || !want)
        return err;
    return make_call(m, take ? "put" : "delete", "/api/v1/lease", NULL, NULL, error);
}

static int parse_preset(struct control *m, const struct error_text *error)
{
    static const struct {
        const char *action, *verb, *values;
    } actions[] = {
        {"store", "put", "{}"}, {"recall", "put", "{\"recall\":true}"}, {"remove", "delete", "{}"}};
    for (size_t i = 0; i < 3 && json_object_size(m->message) == 2; i++) {
        const json_t *name = json_object_get(m->message, actions[i].action);
        const char *text = json_string_value(name);
        if (text)
            return make_call(m, actions[i].verb, "/api/v1/presets/", text,
                             json_loads(actions[i].values, 0, NULL), error);
        if (name)
            return fields_refuse_value(error, actions[i].action, name, "a name");
    }
    return fields_refuse(error, "preset needs one of store, recall and remove");
}

static int parse_record(struct control *m, const struct error_text *error)
{
    const json_t *start = json_object_get(m->message, "start");
    const json_t *stop = json_object_get(m->message, "stop");
    char id[24];
    if (json_object_size(m->message) != 2 || (!start && !stop))
        return fields_refuse(error, "record needs one of start and stop");
    if (start && !json_is_object(start))
        return fields_refuse_value(error, "start", start, "an object");
    if (start)
        return make_call(m, "post", "/api/v1/recordings", NULL, json_copy((json_t *)start), error);
    if (!json_is_integer(stop) || json_integer_value(stop) < 1)
        return fields_refuse_value(error, "stop", stop, "the id of a recording");
    snprintf(id, sizeof id, "%" JSON_INTEGER_FORMAT, json_integer_value(stop));
    return make_call(m, "delete", "/api/v1/recordings/", id, NULL, error);
}

static int parse_trigger(struct control *m, const struct error_text *error)
{
    const json_t *name = json_object_get(m->message, "fire");
    const char *text = json_string_value(name);
    if (json_object_size(m->message) != 2 || !name)
        return fields_refuse(error, "trigger needs fire");
    return text ? make_call(m, "post", "/api/v1/triggers/", text, NULL, error)
                : fields_refuse_value(error, "fire", name, "the name of a trigger");
}

/* ---- views ------------------------------------------------------------------------------ */

static int read_detector(const json_t *message, struct view *out, const struct error_text *error)
{
    const json_t *value = json_object_get(message, "detector");
    const char *name = json_string_value(value);
    if (!value)
        return 0;
    if (!name || !detector_parse(name, &out->detector, &out->percent))
        return fields_refuse_value(error, "detector", value,
                                   "mean, max, min, sample, median, or a percentile as p90");
    return 0;
}

static int read_reduction(const json_t *message, enum reduction *out,
                          const struct error_text *error)
{
    const json_t *value = json_object_get(message, "reduction");
    const int how = json_is_string(value) ? reduction_index(json_string_value(value)) : -1;
    if (!value)
        return 0;
    if (how < 0)
        return fields_refuse_value(error, "reduction", value, REDUCTION_NAMES);
    *out = (enum reduction)how;
    return 0;
}

/* The names that detectors have, and had, are no functions: say which word is meant. */
static int read_trace(struct control *m, const struct error_text *error)
{
    const json_t *value = json_object_get(m->message, "trace");
    const json_t *restart = json_object_get(m->message, "restart");
    if (restart && !json_is_boolean(restart))
        return fields_refuse_value(error, "restart", restart, "true or false");
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
        return fields_refuse(error, "trace: \"%s\" is a detector", json_string_value(value));
    return fields_refuse_value(error, "trace", value, TRACE_FUNCTION_NAMES);
}

static int read_trace_count(struct control *m, const struct error_text *error)
{
    const struct field_range counts = {true, 0, 1e9};
    double count = 0;
    const int err = fields_number(m->message, "count", &counts, &count, error);
    m->view.trace.count = (uint64_t)count;
    return err;
}

static const struct field_range step_range = {false, 0.25, 20};

/* The coding of levels or hits. */
static int read_coding(const json_t *message, enum wire_coding *out, const struct error_text *error)
{
    const json_t *value = json_object_get(message, "coding");
    const char *name = value ? json_string_value(value) : "plain";
    if (!name || (strcmp(name, "plain") != 0 && strcmp(name, "range") != 0))
        return fields_refuse_value(error, "coding", value, "plain or range");
    *out = strcmp(name, "range") == 0 ? WIRE_RANGE : WIRE_PLAIN;
    return 0;
}

/* A VBW without a trace is that of an exponential average. */
static int read_vbw(struct control *m, const struct error_text *error)
{
    const struct field_range hertz = {false, 0, 1e9};
    struct trace_choice *trace = &m->view.trace;
    const int err = fields_number(m->message, "vbw_hz", &hertz, &trace->vbw_hz, error);
    if (err < 0 || !(trace->vbw_hz > 0))
        return err;
    if (!json_object_get(m->message, "trace"))
        trace->function = TRACE_EXPONENTIAL;
    if (!trace_averages(trace->function))
        return fields_refuse(error, "vbw_hz: the trace %s does not average",
                             trace_function_name(trace->function));
    if (trace->count > 0)
        return fields_refuse(error, "count and vbw_hz: one follows from the other");
    return 0;
}

static int read_math(struct control *m, const struct error_text *error)
{
    const json_t *value = json_object_get(m->message, "math");
    const json_t *reference = json_object_get(m->message, "reference");
    const char *name = json_string_value(reference);
    const int math = json_is_string(value) ? reference_math_index(json_string_value(value)) : -1;
    if (value && math < 0)
        return fields_refuse_value(error, "math", value, MATH_NAMES);
    m->view.math = value ? (enum reference_math)math : MATH_NONE;
    if (reference && (!name || strlen(name) >= REFERENCE_NAME || !measure_name_is_valid(name)))
        return fields_refuse_value(error, "reference", reference, "the name of a reference");
    if ((m->view.math != MATH_NONE) != (name != NULL))
        return fields_refuse(error, "math and reference belong together");
    if (name)
        memcpy(m->view.reference, name, strlen(name) + 1);
    return 0;
}

static int read_slot(struct control *m, const struct error_text *error)
{
    const json_t *off = json_object_get(m->message, "off");
    if (off && !json_is_boolean(off))
        return fields_refuse_value(error, "off", off, "true or false");
    m->off = json_is_true(off);
    return fields_count(m->message, "slot", (const uint32_t[]){0, FEED_SLOTS - 1}, &m->slot, error);
}

static int parse_view(struct control *m, const struct error_text *error)
{
    const struct field_range hertz = {false, -1e15, 1e15};
    m->view = (struct view){.low_hz = NAN, .high_hz = NAN};
    int err = read_slot(m, error);
    if (err < 0 || m->off)
        return err;
    if (!json_object_get(m->message, "id") || !json_object_get(m->message, "columns"))
        return fields_refuse(error, "a view needs id and columns");
    err = fields_count(m->message, "id", (const uint32_t[]){0, UINT32_MAX}, &m->view_id, error);
    if (err == 0)
        err = fields_count(m->message, "columns", (const uint32_t[]){1, WIRE_COLUMNS_MAX},
                           &m->view.columns, error);
    if (err == 0)
        err = fields_number(m->message, "low_hz", &hertz, &m->view.low_hz, error);
    if (err == 0)
        err = fields_number(m->message, "high_hz", &hertz, &m->view.high_hz, error);
    if (err == 0)
        err = read_detector(m->message, &m->view, error);
    if (err == 0)
        err = read_reduction(m->message, &m->view.reduction, error);
    if (err == 0)
        err = read_trace(m, error);
    if (err == 0)
        err = read_trace_count(m, error);
    if (err == 0)
        err = read_coding(m->message, &m->view.coding, error);
    if (err == 0)
        err = fields_number(m->message, "step_db", &step_range, &m->view.step_db, error);
    if (err == 0)
        err = read_vbw(m, error);
    if (err == 0)
        err = read_math(m, error);
    if (err == 0 && m->view.low_hz >= m->view.high_hz) /* false while one is NAN */
        err = fields_refuse(error, "high_hz must be above low_hz");
    return err;
}

static int parse_credit(struct control *m, const struct error_text *error)
{
    m->credit = 1;
    return fields_count(m->message, "count", (const uint32_t[]){1, WIRE_CREDIT_MAX}, &m->credit,
                        error);
}

static int parse_density(struct control *m, const struct error_text *error)
{
    const json_t *want = json_object_get(m->message, "want");
    if (want && !json_is_boolean(want))
        return fields_refuse_value(error, "want", want, "true or false");
    m->want = !want || json_is_true(want);
    const int err = read_coding(m->message, &m->density_form.coding, error);
    return err < 0
               ? err
               : fields_number(m->message, "step_db", &step_range, &m->density_form.step_db, error);
}

static int parse_events(struct control *m, const struct error_text *error)
{
    const json_t *want = json_object_get(m->message, "want");
    if (json_object_size(m->message) != 2 || !json_is_boolean(want))
        return fields_refuse(error, "events needs want: true or false");
    m->want = json_is_true(want);
    return 0;
}

static int set_measure(struct control *m, const json_t *setup, const struct error_text *error)
{
    json_t *values = json_copy((json_t *)setup);
    json_t *name = json_incref(json_object_get(values, "name"));
    const char *text = json_string_value(name);
    json_object_del(values, "name");
    const int err = make_call(m, "put", "/api/v1/measurements/", text ? text : "", values, error);
    json_decref(name);
    return text || err < 0 ? err : fields_refuse(error, "name: expected %s", measure_name_expected);
}

static int parse_measure(struct control *m, const struct error_text *error)
{
    const json_t *want = json_object_get(m->message, "want");
    const json_t *remove = json_object_get(m->message, "remove");
    const json_t *set = json_object_get(m->message, "set");
    if (json_object_size(m->message) != 2 || (!want && !remove && !set))
        return fields_refuse(error, "measure needs one of want, set and remove");
    if (want && !json_is_boolean(want))
        return fields_refuse_value(error, "want", want, "true or false");
    if (remove && !json_is_string(remove))
        return fields_refuse_value(error, "remove", remove, "a name");
    if (set && !json_is_object(set))
        return fields_refuse_value(error, "set", set, "an object");
    m->want = json_is_true(want);
    return set      ? set_measure(m, set, error)
           : remove ? make_call(m, "delete", "/api/v1/measurements/", json_string_value(remove),
                                NULL, error)
                    : 0;
}

static int parse_reference(struct control *m, const struct error_text *error)
{
    const json_t *name = json_object_get(m->message, "store");
    m->reference_name = json_string_value(name);
    if (!name)
        return fields_refuse(error, "reference needs store");
    if (!m->reference_name)
        return fields_refuse_value(error, "store", name, "a name");
    return fields_count(m->message, "slot", (const uint32_t[]){0, FEED_SLOTS - 1}, &m->slot, error);
}

static int parse_own_measure(struct control *m, const struct error_text *error)
{
    const json_t *remove = json_object_get(m->message, "remove");
    m->measure_setup = json_object_get(m->message, "set");
    m->measure_name = json_string_value(remove);
    if (json_object_size(m->message) != 2 || (!remove && !m->measure_setup))
        return fields_refuse(error, "own_measure needs one of set and remove");
    if (remove && !m->measure_name)
        return fields_refuse_value(error, "remove", remove, "a name");
    if (m->measure_setup && !json_is_object(m->measure_setup))
        return fields_refuse_value(error, "set", m->measure_setup, "an object");
    m->measure = remove ? MEASURE_REMOVE : MEASURE_SET;
    return 0;
}

static int parse_markers(struct control *m, const struct error_text *error)
{
    return marker_request_read(m->message, &m->want, &m->readout, error);
}

static int parse_history(struct control *m, const struct error_text *error)
{
    return history_request_read(&m->history, m->message, error->text, error->size);
}

static const struct {
    const char *type;
    enum control_kind kind;
    int (*parse)(struct control *m, const struct error_text *error);
} messages[] = {
    {"hello", CONTROL_HELLO, parse_hello},
    {"view", CONTROL_VIEW, parse_view},
    {"credit", CONTROL_CREDIT, parse_credit},
    {"density", CONTROL_DENSITY, parse_density},
    {"set", CONTROL_CALL, parse_set},
    {"measure", CONTROL_MEASURE, parse_measure},
    {"reference", CONTROL_REFERENCE, parse_reference},
    {"own_measure", CONTROL_OWN_MEASURE, parse_own_measure},
    {"markers", CONTROL_MARKERS, parse_markers},
    {"replay", CONTROL_CALL, parse_replay},
    {"history", CONTROL_HISTORY, parse_history},
    {"lease", CONTROL_NAME, parse_lease},
    {"preset", CONTROL_CALL, parse_preset},
    {"events", CONTROL_EVENTS, parse_events},
    {"record", CONTROL_CALL, parse_record},
    {"trigger", CONTROL_CALL, parse_trigger},
};

int control_parse(struct control *out, const char *text, size_t size, char *error,
                  size_t error_size)
{
    const struct error_text where = {error, error_size};
    json_error_t why;
    *out = (struct control){.message = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why)};
    if (!out->message)
        return fields_refuse(&where, "not JSON: %s", why.text);
    static const char *const verbs[] = {"get", "put", "patch", "post", "delete"};
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (json_object_get(out->message, verbs[i]))
            return parse_call(out, verbs[i], &where);
    const json_t *type = json_object_get(out->message, "type");
    if (!json_is_string(type))
        return fields_refuse(
            &where,
            "a message is an object with a type, or a call: get, put, patch, post or delete");
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        if (strcmp(json_string_value(type), messages[i].type) == 0) {
            out->kind = messages[i].kind;
            return messages[i].parse(out, &where);
        }
    }
    return fields_refuse_value(
        &where, "type", type,
        "hello, view, credit, density, set, measure, own_measure, markers, replay, "
        "reference, history, lease, preset, events, record or trigger");
}

void control_finish(struct control *c)
{
    json_decref(c->message);
    json_decref(c->call.values);
    *c = (struct control){0};
}
