/* call_message.c - writes and reads calls through a broker, and their replies. */
#include "daemon/nats/call_message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/one_line.h"

/* A text of one line for people: not empty. NULL is none. */
static bool is_line(const char *text)
{
    return text && *text && is_one_line(text);
}

/* Takes over the reference. With `head` bytes before the text and `tail` after it. */
static uint8_t *dump(json_t *json, size_t head, size_t tail, size_t *size)
{
    char *text = json_text(json, JSON_COMPACT);
    const size_t length = text ? strlen(text) : 0;
    uint8_t *data = text ? malloc(head + length + tail) : NULL;
    if (data)
        memcpy(data + head, text, length);
    json_decref(json);
    free(text);
    *size = length;
    return data;
}

uint8_t *call_ask_write(const struct call_ask *ask, size_t *size)
{
    json_t *json =
        json_pack("{ss so ss so sO}", "type", "call", "from", text_to_json(ask->from), "verb",
                  ask->verb, "path", text_to_json(ask->path), "values", ask->values);
    if (json && ask->token)
        json_object_set_new(json, "token", text_to_json(ask->token));
    if (json && ask->name)
        json_object_set_new(json, "name", text_to_json(ask->name));
    return dump(json, CALL_HEAD, 0, size);
}

/* ---- replies ----------------------------------------------------------------------------- */

static json_t *refusal_to_json(const struct call_reply *r)
{
    json_t *json = json_pack("{ss si so}", "type", "reply", "status", (int)r->status, "error",
                             text_to_json(r->why.sentence));
    if (json && r->why.key[0])
        json_object_set_new(json, "key", text_to_json(r->why.key));
    if (json && r->wrong_token)
        json_object_set_new(json, "cause", json_string("token"));
    return json;
}

static json_t *result_to_json(const struct call_reply *r)
{
    json_t *json = json_pack("{ss si}", "type", "reply", "status", (int)r->status);
    if (json && r->bytes)
        json_object_set_new(json, "bytes", json_integer((json_int_t)r->size));
    if (json && !r->bytes)
        json_object_set(json, "body", r->body);
    if (json && r->location[0])
        json_object_set_new(json, "location", text_to_json(r->location));
    return json;
}

uint8_t *call_reply_write(const struct call_reply *r, size_t *size)
{
    const size_t tail = r->bytes ? 1 + r->size : 0;
    json_t *json = r->status >= 400 ? refusal_to_json(r) : result_to_json(r);
    uint8_t *data = dump(json, 0, tail, size);
    if (!data || tail == 0)
        return data;
    data[*size] = '\n';
    memcpy(data + *size + 1, r->bytes, r->size);
    *size += tail;
    return data;
}

/* False: there is one, and it is not of one line or has no room. */
static bool read_line(const json_t *json, const char *key, char *into, size_t size)
{
    const json_t *value = json_object_get(json, key);
    const char *text = json_string_value(value);
    into[0] = '\0';
    if (!value)
        return true;
    if (!is_line(text) || strlen(text) != json_string_length(value) || strlen(text) >= size)
        return false;
    memcpy(into, text, strlen(text) + 1);
    return true;
}

static bool read_refusal(struct call_reply *r, const json_t *json)
{
    const char *cause = json_string_value(json_object_get(json, "cause"));
    r->wrong_token = cause && strcmp(cause, "token") == 0;
    return r->status < 600 && read_line(json, "error", r->why.sentence, sizeof r->why.sentence) &&
           r->why.sentence[0] && read_line(json, "key", r->why.key, sizeof r->why.key);
}

/* rest: after the JSON. */
static bool read_result(struct call_reply *r, const json_t *json, const uint8_t *rest, size_t size)
{
    static const char below[] = "/api/v1/";
    const json_t *bytes = json_object_get(json, "bytes");
    r->body = json_incref(json_object_get(json, "body"));
    if (bytes && (!json_is_integer(bytes) || r->body || size == 0 || rest[0] != '\n' ||
                  json_integer_value(bytes) != (json_int_t)size - 1))
        return false;
    r->bytes = bytes ? rest + 1 : NULL;
    r->size = bytes ? size - 1 : 0;
    return (bytes || (r->body && size == 0)) &&
           read_line(json, "location", r->location, sizeof r->location) &&
           (!r->location[0] || strncmp(r->location, below, sizeof below - 1) == 0);
}

static bool read_object(struct call_reply *r, const json_t *json, const uint8_t *rest, size_t size)
{
    const char *type = json_string_value(json_object_get(json, "type"));
    const json_int_t status = json_integer_value(json_object_get(json, "status"));
    if (!type || strcmp(type, "reply") != 0 || status < 200 || status > 599)
        return false;
    r->status = (unsigned)status;
    if (status >= 400)
        return size == 0 && read_refusal(r, json);
    return status <= 202 && read_result(r, json, rest, size);
}

int call_reply_read(struct call_reply *out, const void *data, size_t size)
{
    json_error_t at = {.position = 0};
    *out = (struct call_reply){0};
    json_t *json =
        size > 0 && size <= CALL_REPLY_MAX
            ? json_loadb(data, size, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &at)
            : NULL;
    const size_t used = json && at.position > 0 ? (size_t)at.position : 0;
    const bool sound = json_is_object(json) && used <= size &&
                       read_object(out, json, (const uint8_t *)data + used, size - used);
    json_decref(json);
    if (!sound) {
        call_reply_finish(out);
        *out = (struct call_reply){0};
    }
    return sound ? 0 : -EINVAL;
}

void call_reply_finish(struct call_reply *r)
{
    json_decref(r->body);
    r->body = NULL;
}
