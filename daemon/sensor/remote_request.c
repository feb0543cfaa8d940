/* remote_request.c - parses and checks calls of a broker's clients. */
#include "daemon/sensor/remote_request.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/control/fields.h"
#include "daemon/control/lease.h"
#include "daemon/nats/call_message.h"

/* As address_text writes it: with " via hub" an address of the lease. Empty is fine. */
static bool is_address(const char *text)
{
    static const char known[] = "0123456789abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ .:/?-";
    const size_t length = strlen(text);
    return length + sizeof " via hub" <= LEASE_ADDRESS && strspn(text, known) == length;
}

static int check_call(const struct remote_request *r, struct reason *why)
{
    char excerpt[JSON_EXCERPT];
    const json_t *type = json_object_get(r->message, "type");
    const char *word = json_string_value(type);
    const bool has_from = json_object_get(r->message, "from");
    const size_t known = 4U + (r->token ? 1U : 0U) + (r->name ? 1U : 0U) + (has_from ? 1U : 0U);
    if (!word || strcmp(word, "call") != 0)
        return reason_set(why, -EINVAL, "type: %s: expected call",
                          type ? value_excerpt(type, excerpt) : "absent");
    if (r->name && !fields_is_name(r->name))
        return reason_set(why, -EINVAL, "name: at most %d bytes of text", CLIENT_NAME - 1);
    if (!r->verb || !r->path || !json_is_object(r->values) || json_object_size(r->message) != known)
        return reason_set(why, -EINVAL, "a call has token, name, from, verb, path and values");
    if (!is_address(r->from))
        return reason_set(why, -EINVAL, "from: it is not an address");
    return 0;
}

static int read_text(const json_t *message, const char *key, const char **into, struct reason *why)
{
    const json_t *value = json_object_get(message, key);
    if (!value)
        return 0;
    *into = json_string_value(value);
    return *into ? 0 : reason_set(why, -EINVAL, "%s: not a string", key);
}

int remote_request_read(struct remote_request *out, const char *text, size_t size,
                        struct reason *why)
{
    *out = (struct remote_request){.from = ""};
    const struct {
        const char *key, **into;
    } texts[] = {{"token", &out->token}, /* first: it decides what the requester may learn */
                 {"name", &out->name},
                 {"from", &out->from},
                 {"verb", &out->verb},
                 {"path", &out->path}};
    if (size > CALL_MAX)
        return reason_set(why, -EINVAL, "at most %d bytes", CALL_MAX);
    out->message = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    int err = json_is_object(out->message)
                  ? 0
                  : reason_set(why, -EINVAL, "the request is not a JSON object");
    for (size_t i = 0; err == 0 && i < sizeof texts / sizeof texts[0]; i++)
        err = read_text(out->message, texts[i].key, texts[i].into, why);
    out->values = json_object_get(out->message, "values");
    return err == 0 ? check_call(out, why) : err;
}

void remote_request_finish(struct remote_request *r)
{
    json_decref(r->message);
    *r = (struct remote_request){.token = NULL};
}
