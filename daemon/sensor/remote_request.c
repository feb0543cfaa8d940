/* remote_request.c - parses and checks requests of a broker's clients. */
#include "daemon/sensor/remote_request.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/wire/wire.h"

/* Takes a text out of the message: the rest are settings. *into stays valid with `kept`. */
static int take_text(json_t *message, json_t *kept, const char *key, const char **into, char *error,
                     size_t error_size)
{
    json_t *value = json_object_get(message, key);
    if (!value)
        return 0;
    *into = json_string_value(value);
    json_object_set(kept, key, value);
    json_object_del(message, key);
    return *into ? 0 : reason_set(error, error_size, -EINVAL, "%s: not a string", key);
}

static int read_kind(struct remote_request *r, const json_t *message, char *error,
                     size_t error_size)
{
    char excerpt[JSON_EXCERPT];
    const json_t *type = json_object_get(message, "type");
    const char *name = json_string_value(type);
    if (r->name && !fields_is_name(r->name))
        return reason_set(error, error_size, -EINVAL, "name: at most %d bytes of text",
                          CLIENT_NAME - 1);
    if (name && strcmp(name, "set") == 0)
        return setting_change_read(message, &r->change, error, error_size);
    r->kind = REMOTE_CHOICES;
    if (name && strcmp(name, "choices") == 0)
        return json_object_size(message) == 1
                   ? 0
                   : reason_set(error, error_size, -EINVAL, "choices: it has a token alone");
    return reason_set(error, error_size, -EINVAL, "type: %s: expected set or choices",
                      type ? value_excerpt(type, excerpt) : "absent");
}

int remote_request_read(struct remote_request *out, const char *text, size_t size, char *error,
                        size_t error_size)
{
    *out = (struct remote_request){.token = NULL};
    if (size > WIRE_MESSAGE_MAX)
        return reason_set(error, error_size, -EINVAL, "at most %d bytes", WIRE_MESSAGE_MAX);
    json_t *message = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    out->message = json_object(); /* keeps token and name */
    int err = json_is_object(message)
                  ? 0
                  : reason_set(error, error_size, -EINVAL, "the request is no JSON object");
    if (err == 0)
        err = take_text(message, out->message, "token", &out->token, error, error_size);
    if (err == 0)
        err = take_text(message, out->message, "name", &out->name, error, error_size);
    if (err == 0)
        err = read_kind(out, message, error, error_size);
    json_decref(message);
    return err;
}

void remote_request_finish(struct remote_request *r)
{
    json_decref(r->message);
    *r = (struct remote_request){.token = NULL};
}

/* Takes over the reference. */
static char *dump(json_t *reply)
{
    char *dumped = reply ? json_dumps(reply, JSON_COMPACT | JSON_REAL_PRECISION(15)) : NULL;
    json_decref(reply);
    return dumped;
}

char *remote_request_reply(const char *error, bool is_wrong_token)
{
    if (!error)
        return dump(json_pack("{ss}", "type", "done"));
    json_t *reply = json_pack("{ss so}", "type", "error", "message", text_to_json(error));
    if (is_wrong_token)
        json_object_set_new(reply, "cause", json_string("token"));
    return dump(reply);
}

char *remote_request_reply_choices(json_t *choices, json_t *status)
{
    return dump(json_pack("{ss so so}", "type", "choices", "choices", choices, "status", status));
}
