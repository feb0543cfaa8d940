/* resource_connection.c - what belongs to a single websocket: its name, measurements, markers, and
 * its requests for history. */
#include <errno.h>

#include "daemon/api/call_connection.h"
#include "daemon/api/keys_json.h"
#include "daemon/api/resource.h"
#include "daemon/api/values.h"
#include "daemon/base/reason.h"
#include "daemon/control/fields.h"

static int rename_client(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    char text[API_VALUE_TEXT];
    const json_t *name = json_object_get(call->values, "name");
    (void)reply;
    if (!name)
        return reason_set(why, -EINVAL, "the key name is missing");
    const int err = api_value_text("name", name, text, why);
    if (err < 0)
        return err;
    if (!fields_is_name(text))
        return reason_key(why, -EINVAL, "name", "name: at most %d bytes of text", CLIENT_NAME - 1);
    return call->connection->rename(call->connection->user, text, why);
}

static const struct api_key name_keys[] = {
    {"name", "of the client, for people: at most 32 bytes", NULL},
    {0},
};

const struct api_resource api_connection = {
    .path = "/api/v1/connection",
    .tag = "connection",
    .methods = (const struct api_method[]){
        {API_PATCH, API_OPERATE, rename_client,
         "Changes the name that others see while this client has the lease", .more = name_keys,
         .example = "{\"name\": \"Ann\"}"},
        {0},
    }};

/* ---- measurements ----------------------------------------------------------------------- */

static int set_measurement(const struct api_call *call, const struct option_text *text,
                           struct reason *why)
{
    return call->connection->set_measurement(call->connection->user, text, why);
}

static int put_measurement(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    return keys_put(call, reply, false, set_measurement, why);
}

static int remove_measurement(const struct api_call *call, struct api_reply *reply,
                              struct reason *why)
{
    (void)reply;
    return call->connection->remove_measurement(call->connection->user, call->name, why);
}

const struct api_resource api_own_measurement = {
    .path = "/api/v1/connection/measurements/",
    .tag = "connection",
    .methods = (const struct api_method[]){
        {API_PUT, API_WATCH, put_measurement,
         "Sets a measurement up for this client alone, or changes it: its type and the keys of the "
         "type (/api/v1/measurement-types)",
         .any_key = true, .example = "{\"type\": \"marker\", \"frequency\": \"100M\"}"},
        {API_DELETE, API_WATCH, remove_measurement, "Ends a measurement of this client",
         .keys = NULL},
        {0},
    }};
