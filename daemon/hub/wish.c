/* wish.c - parses and checks the messages of a hub's viewers. */
#include "daemon/hub/wish.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/control/fields.h"

static bool has_id(const struct wish *w, uint32_t id)
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

static int read_radios(struct wish *w, struct reason *why)
{
    char excerpt[JSON_EXCERPT];
    size_t at;
    json_t *value, *radios = json_object_get(w->message, "radios");
    if (!json_is_array(radios) || json_array_size(radios) > WISH_RADIOS)
        return reason_set(why, -EINVAL, "want: radios must be an array of at most %d ids",
                          WISH_RADIOS);
    json_array_foreach(radios, at, value)
    {
        const uint32_t id = read_id(value);
        if (id == 0)
            return reason_set(why, -EINVAL, "want: %s is no id of a radio",
                              value_excerpt(value, excerpt));
        if (!has_id(w, id))
            w->radios[w->count++] = id;
    }
    return 0;
}

static int read_want(struct wish *w, struct reason *why)
{
    static const struct field_range range = {.max = WISH_PAST_S};
    const json_t *again = json_object_get(w->message, "again");
    w->serial = json_object_get(w->message, "serial");
    w->again = json_is_true(again);
    if (again && !json_is_boolean(again))
        return reason_set(why, -EINVAL, "again: neither true nor false");
    if (w->serial && !json_is_integer(w->serial))
        return reason_set(why, -EINVAL, "serial: no whole number");
    const int err = read_radios(w, why);
    return err < 0 ? err : fields_number(w->message, "past_s", &range, &w->past_s, why);
}

static int read_hello(struct wish *w, struct reason *why)
{
    const json_t *token = json_object_get(w->message, "token");
    w->token = json_string_value(token);
    return !token || w->token ? 0 : reason_set(why, -EINVAL, "token: not a string");
}

/* The sensor checks the rest: it may be of another version, with other settings. */
static int read_request(struct wish *w, struct reason *why)
{
    char excerpt[JSON_EXCERPT];
    const json_t *radio = json_object_get(w->message, "radio");
    w->radio = read_id(radio);
    if (w->radio == 0)
        return reason_set(why, -EINVAL, "radio: %s is no id of a radio",
                          radio ? value_excerpt(radio, excerpt) : "nothing");
    json_object_del(w->message, "radio");
    if (!json_is_string(json_object_get(w->message, "token")))
        return reason_set(why, -EINVAL, "requests need the control token");
    return 0;
}

static const struct {
    const char *type;
    enum wish_kind kind;
    int (*read)(struct wish *w, struct reason *why);
} kinds[] = {{"hello", WISH_HELLO, read_hello},
             {"want", WISH_WANT, read_want},
             {"set", WISH_REQUEST, read_request},
             {"choices", WISH_REQUEST, read_request}};

int wish_read(struct wish *out, const char *text, size_t size, struct reason *why)
{
    json_error_t wrong;
    char excerpt[JSON_EXCERPT];
    *out = (struct wish){.message = json_loadb(text, size, JSON_REJECT_DUPLICATES, &wrong)};
    if (!json_is_object(out->message))
        return reason_set(why, -EINVAL, "the message is no JSON object");
    const json_t *type = json_object_get(out->message, "type");
    const char *name = json_string_value(type);
    for (size_t i = 0; name && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(name, kinds[i].type) == 0) {
            out->kind = kinds[i].kind;
            return kinds[i].read(out, why);
        }
    out->kind = WISH_WANT;
    return reason_set(why, -EINVAL, "type: %s: expected hello, want, set or choices",
                      type ? value_excerpt(type, excerpt) : "absent");
}

void wish_finish(struct wish *w)
{
    json_decref(w->message);
    *w = (struct wish){.message = NULL};
}
