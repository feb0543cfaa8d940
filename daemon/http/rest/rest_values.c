/* rest_values.c - reads the values of a call from a query and from JSON. */
#include "daemon/http/rest/rest_values.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/http/http_server.h"
#include "daemon/http/query.h"
#include "daemon/http/quirks.h"

/* ---- the query -------------------------------------------------------------------------- */

static int add(json_t *values, const char *key, const char *text, struct reason *why)
{
    json_t *value = json_string(text), *name = json_string(key);
    const bool is_text = value && name; /* UTF-8 */
    int err = 0;
    json_decref(name);
    if (!is_text)
        err = reason_set(why, -EINVAL, "a parameter is not UTF-8");
    else if (json_object_get(values, key))
        err = reason_key(why, -EINVAL, key, "%s: given twice", key);
    if (err < 0)
        json_decref(value);
    else
        json_object_set_new(values, key, value);
    return err;
}

int rest_values_of_request(struct lws *wsi, json_t *values, struct reason *why)
{
    char pair[HTTP_HEADER_MAX];
    for (int i = 0; quirks_parameter(wsi, i, pair, sizeof pair); i++) {
        char *equals = strchr(pair, '=');
        if (!pair[0])
            continue;
        if (!equals)
            return reason_set(why, -EINVAL, "a parameter has the form KEY=VALUE");
        *equals = '\0';
        const int err = add(values, pair, equals + 1, why);
        if (err < 0)
            return err;
    }
    return 0;
}

/* As the query was read for a request. */
int rest_values_of_query(const struct query *q, json_t *values, struct reason *why)
{
    for (unsigned i = 0; i < q->count; i++) {
        const struct parameter *p = &q->parameter[i];
        const int err = add(values, p->name, p->value, why);
        if (err < 0)
            return err;
        if (p->cut)
            return reason_key(why, -EINVAL, p->name, "%s: the value is too long", p->name);
    }
    return 0;
}

/* ---- the body --------------------------------------------------------------------------- */

int rest_values_of_body(const char *bytes, size_t size, json_t *values, struct reason *why)
{
    json_error_t fault;
    char text[JSON_FAULT];
    const char *key;
    json_t *value, *body = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &fault);
    int err = 0;
    if (!body)
        return reason_set(why, -EINVAL, "the body is not JSON: %s", json_fault(&fault, text));
    if (!json_is_object(body))
        err = reason_set(why, -EINVAL, "the body is not a JSON object");
    json_object_foreach(body, key, value)
    {
        if (err < 0 || json_object_get(values, key)) {
            err = err < 0 ? err
                          : reason_key(why, -EINVAL, key, "%s: given in the query and in the body",
                                       key);
            break;
        }
        json_object_set(values, key, value);
    }
    json_decref(body);
    return err;
}
