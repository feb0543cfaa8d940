/* viewer_message.c - parses and checks the messages of a hub's viewers. */
#include "daemon/hub/viewer_message.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/control/fields.h"

static bool has_id(const struct viewer_message *w, uint32_t id)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (w->radios[i] == id)
            return true;
    return false;
}

/* 0: it is none. */
static uint32_t read_id(const json_t *value)
{
    const json_int_t id = json_integer_value(value);
    return json_is_integer(value) && id >= 1 && id <= UINT32_MAX ? (uint32_t)id : 0;
}

static int read_radios(struct viewer_message *w, struct reason *why)
{
    char excerpt[JSON_EXCERPT];
    size_t at;
    json_t *value, *radios = json_object_get(w->message, "radios");
    if (!json_is_array(radios) || json_array_size(radios) > VIEWER_RADIOS)
        return reason_set(why, -EINVAL, "want: radios must be an array of at most %d ids",
                          VIEWER_RADIOS);
    json_array_foreach(radios, at, value)
    {
        const uint32_t id = read_id(value);
        if (id == 0)
            return reason_set(why, -EINVAL, "want: %s is not the id of a radio",
                              value_excerpt(value, excerpt));
        if (!has_id(w, id))
            w->radios[w->count++] = id;
    }
    return 0;
}

static int read_want(struct viewer_message *w, struct reason *why)
{
    static const struct field_range range = {.max = VIEWER_PAST_S};
    const json_t *again = json_object_get(w->message, "again");
    w->serial = json_object_get(w->message, "serial");
    w->again = json_is_true(again);
    if (again && !json_is_boolean(again))
        return reason_set(why, -EINVAL, "again: neither true nor false");
    if (w->serial && !json_is_integer(w->serial))
        return reason_set(why, -EINVAL, "serial: expected a whole number");
    const int err = read_radios(w, why);
    return err < 0 ? err : fields_number(w->message, "past_s", &range, &w->past_s, why);
}

static int read_hello(struct viewer_message *w, struct reason *why)
{
    const json_t *token = json_object_get(w->message, "token");
    w->token = json_string_value(token);
    return !token || w->token ? 0 : reason_set(why, -EINVAL, "token: not a string");
}

/* ---- calls ------------------------------------------------------------------------------ */

static const char *find_verb(const json_t *message)
{
    static const char *const verbs[] = {"get", "put", "patch", "post", "delete"};
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (json_object_get(message, verbs[i]))
            return verbs[i];
    return NULL;
}

static int read_text(const struct viewer_message *w, const char *key, const char **text,
                     struct reason *why)
{
    const json_t *value = json_object_get(w->message, key);
    *text = json_string_value(value);
    return !value || *text ? 0 : reason_key(why, -EINVAL, key, "%s: not a text", key);
}

static int read_path(struct viewer_message *w, struct reason *why)
{
    const json_t *path = json_object_get(w->message, w->verb);
    const char *text = json_string_value(path);
    if (!text || json_string_length(path) >= VIEWER_PATH ||
        strlen(text) != json_string_length(path))
        return reason_key(why, -EINVAL, w->verb, "%s: expected the path of a resource", w->verb);
    if (text[strcspn(text, "&;?#")])
        return reason_key(why, -EINVAL, w->verb,
                          "%s: in a path, & ; ? and # are written %%26 %%3B %%3F and %%23",
                          w->verb);
    memcpy(w->path, text, strlen(text) + 1);
    return 0;
}

static int read_call(struct viewer_message *w, struct reason *why)
{
    const char *known[] = {"id", w->verb, "token", "name", "body", NULL};
    const json_t *id = json_object_get(w->message, "id");
    w->kind = VIEWER_CALL;
    w->values = json_object_get(w->message, "body");
    if (!json_is_integer(id) && !json_is_string(id))
        return reason_set(why, -EINVAL, "a call has an id: a whole number or a text");
    w->id = id;
    int err = fields_check_keys(w->message, known, "call", why);
    if (err == 0)
        err = read_path(w, why);
    if (err == 0)
        err = read_text(w, "token", &w->token, why);
    if (err == 0)
        err = read_text(w, "name", &w->name, why);
    if (err == 0 && w->values && !json_is_object(w->values))
        err = reason_key(why, -EINVAL, "body", "body: not an object");
    return err;
}

static const struct {
    const char *type;
    enum viewer_message_kind kind;
    int (*read)(struct viewer_message *w, struct reason *why);
} kinds[] = {{"hello", VIEWER_HELLO, read_hello}, {"want", VIEWER_WANT, read_want}};

int viewer_message_read(struct viewer_message *out, const char *text, size_t size,
                        struct reason *why)
{
    json_error_t wrong;
    char excerpt[JSON_EXCERPT];
    *out =
        (struct viewer_message){.message = json_loadb(text, size, JSON_REJECT_DUPLICATES, &wrong)};
    if (!json_is_object(out->message))
        return reason_set(why, -EINVAL, "the message is not a JSON object");
    out->verb = find_verb(out->message);
    if (out->verb)
        return read_call(out, why);
    const json_t *type = json_object_get(out->message, "type");
    const char *name = json_string_value(type);
    for (size_t i = 0; name && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(name, kinds[i].type) == 0) {
            out->kind = kinds[i].kind;
            return kinds[i].read(out, why);
        }
    out->kind = VIEWER_WANT;
    return reason_set(
        why, -EINVAL,
        "type: %s: expected hello or want, or a call: get, put, patch, post or delete",
        type ? value_excerpt(type, excerpt) : "absent");
}

void viewer_message_finish(struct viewer_message *w)
{
    json_decref(w->message);
    *w = (struct viewer_message){.message = NULL};
}
