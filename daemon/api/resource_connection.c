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
        return reason_key(why, -EINVAL, "name", "name: is missing");
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

/* ---- markers ---------------------------------------------------------------------------- */

static int put_markers(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    (void)reply;
    return call->connection->set_markers(call->connection->user, call->values, why);
}

static int remove_markers(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    (void)reply;
    return call->connection->set_markers(call->connection->user, NULL, why);
}

static const struct api_key marker_keys[] = {
    {"id", "the client's own number of this request, 0 (default) to 2^32 - 1; readings carry it",
     ""},
    {"markers",
     "up to 16 objects: hz; optionally width_hz, the width in which the strongest bin is read (0, "
     "the default, is one bin), and noise: true for the noise density",
     ""},
    {"peaks",
     "an object asks for a table of peaks, at most 4 times a second: count, 1 to 100 (10); "
     "threshold (-300 dBFS); excursion (6 dB)",
     ""},
    {"spurs", "true: bins on the spur list count as peaks; false is the default", ""},
    {"per_second", "largest number of messages a second, 1 to 1000; by default one for each frame",
     ""},
    {0},
};

const struct api_resource api_own_markers = {
    .path = "/api/v1/connection/markers",
    .tag = "connection",
    .methods = (const struct api_method[]){
        {API_PUT, API_WATCH, put_markers,
         "Requests readings before each frame, in place of those requested before",
         .more = marker_keys,
         .example = "{\"markers\": [{\"hz\": 1e8}], \"peaks\": {\"count\": 20}}"},
        {API_DELETE, API_WATCH, remove_markers, "Ends the readings", .keys = NULL},
        {0},
    }};

/* ---- history ---------------------------------------------------------------------------- */

/* The rows follow the answer, as a frame. */
static int get_history(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    const int err = call->connection->ask_history(call->connection->user, call->values, why);
    reply->later = err == 0;
    return err;
}

static const struct api_key history_keys[] = {
    {"id", "the client's own number of the request, 0 to 2^32 - 1; the frame carries it. Required",
     ""},
    {"columns", "number of columns of each row, 1 to 8192. Required", ""},
    {"rows", "number of rows, 1 to 1024 (default)", ""},
    {"lines", "smallest number of lines in a row, 1 (default) to 1048576", ""},
    {"before", "only lines before this one; without it the newest rows", ""},
    {"from", "only rows that begin at or after this Unix time in s", ""},
    {"to", "only rows that begin before this Unix time in s", ""},
    {"low_hz", "lower edge, as in a view", ""},
    {"high_hz", "upper edge", ""},
    {"detector", "of the rows; mean is the default", "mean, max, min"},
    {"coding", "as in a view; plain is the default", "plain, range"},
    {0},
};

const struct api_resource api_own_history = {
    .path = "/api/v1/connection/history",
    .tag = "connection",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_history,
         "Rows of the past, in a history frame; a new request replaces one that waits",
         .more = history_keys},
        {0},
    }};
