/* remote_request.c - parses and checks requests of a broker's clients. */
#include "daemon/sensor/remote_request.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/control/lease.h"
#include "daemon/nats/call_message.h"
#include "daemon/wire/wire.h"

/* Takes a text out of the message: the rest are settings. *into stays valid with `kept`. */
static int take_text(json_t *message, json_t *kept, const char *key, const char **into,
                     struct reason *why)
{
    json_t *value = json_object_get(message, key);
    if (!value)
        return 0;
    *into = json_string_value(value);
    json_object_set(kept, key, value);
    json_object_del(message, key);
    return *into ? 0 : reason_set(why, -EINVAL, "%s: not a string", key);
}

/* As address_text writes it: with " via hub" an address of the lease. Empty is fine. */
static bool is_address(const char *text)
{
    static const char known[] = "0123456789abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ .:/?-";
    const size_t length = strlen(text);
    return length + sizeof " via hub" <= LEASE_ADDRESS && strspn(text, known) == length;
}

static int read_call(struct remote_request *r, json_t *message, struct reason *why)
{
    json_t *values = json_object_get(message, "values");
    int err = take_text(message, r->message, "from", &r->from, why);
    if (err == 0)
        err = take_text(message, r->message, "verb", &r->verb, why);
    if (err == 0)
        err = take_text(message, r->message, "path", &r->path, why);
    if (err < 0)
        return err;
    r->from = r->from ? r->from : "";
    if (!r->verb || !r->path || !json_is_object(values) || json_object_size(message) != 2)
        return reason_set(why, -EINVAL, "a call has token, name, from, verb, path and values");
    if (!is_address(r->from))
        return reason_set(why, -EINVAL, "from: it is not an address");
    json_object_set(r->message, "values", values);
    r->values = values;
    return 0;
}

static int read_kind(struct remote_request *r, json_t *message, size_t size, struct reason *why)
{
    char excerpt[JSON_EXCERPT];
    const json_t *type = json_object_get(message, "type");
    const char *name = json_string_value(type);
    const bool is_call = name && strcmp(name, "call") == 0;
    if (!is_call && size > WIRE_MESSAGE_MAX)
        return reason_set(why, -EINVAL, "at most %d bytes", WIRE_MESSAGE_MAX);
    if (r->name && !fields_is_name(r->name))
        return reason_set(why, -EINVAL, "name: at most %d bytes of text", CLIENT_NAME - 1);
    if (is_call) {
        r->kind = REMOTE_CALL;
        return read_call(r, message, why);
    }
    if (name && strcmp(name, "set") == 0)
        return setting_change_read(message, &r->change, why);
    r->kind = REMOTE_CHOICES;
    if (name && strcmp(name, "choices") == 0)
        return json_object_size(message) == 1
                   ? 0
                   : reason_set(why, -EINVAL, "choices: takes only a token");
    return reason_set(why, -EINVAL, "type: %s: expected set, choices or call",
                      type ? value_excerpt(type, excerpt) : "absent");
}

int remote_request_read(struct remote_request *out, const char *text, size_t size,
                        struct reason *why)
{
    *out = (struct remote_request){.token = NULL};
    if (size > CALL_MAX)
        return reason_set(why, -EINVAL, "at most %d bytes", CALL_MAX);
    json_t *message = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    out->message = json_object(); /* keeps token and name */
    int err =
        json_is_object(message) ? 0 : reason_set(why, -EINVAL, "the request is not a JSON object");
    if (err == 0)
        err = take_text(message, out->message, "token", &out->token, why);
    if (err == 0)
        err = take_text(message, out->message, "name", &out->name, why);
    if (err == 0)
        err = read_kind(out, message, size, why);
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
    char *dumped = json_text(reply, JSON_COMPACT);
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
