/* resource_references.c - stored traces: the list, one as a file, new ones, and removal. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/api/call_connection.h"
#include "daemon/api/collect/reference_takes.h"
#include "daemon/api/resource.h"
#include "daemon/api/values.h"
#include "daemon/base/reason.h"
#include "daemon/line/reference/reference_file.h"
#include "daemon/stream/settings.h"

static int get_all(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    (void)why;
    return api_answer(reply, reference_takes_to_json(call->on->references));
}

static bool exists(const struct api_call *call)
{
    struct reference_store *store = call->on->references->store;
    struct reference *found = store ? reference_store_find(store, call->name) : NULL;
    reference_unref(found);
    return found;
}

static int get_one(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    struct reference_store *store = call->on->references->store;
    struct reference *found = store ? reference_store_find(store, call->name) : NULL;
    struct text text = {0};
    if (!found)
        return reason_set(why, -ENOENT, "there is no such reference");
    reference_write(&text, found);
    reference_unref(found);
    if (text.failed) {
        text_finish(&text);
        return -ENOMEM;
    }
    reply->bytes = text.data;
    reply->size = text.length;
    return 0;
}

/* ---- changes ---------------------------------------------------------------------------- */

struct wanted {
    char measure[OPTION_NAME_MAX + 1];
    struct reference_wanted lines;
    uint32_t slot;
};

static const struct config_option keys[] = {
    {"references", "measure", .kind = OPTION_LABEL, OPTION_FIELD(struct wanted, measure),
     .fallback = "", .expected = "the name of a measurement",
     .help =
         "Measurement whose trace is stored. Cannot be combined with detector, trace and count"},
    {"references", "detector", .kind = OPTION_OTHER, .form = &detector_form,
     OPTION_FIELD(struct wanted, lines.detector), .fallback = "mean",
     .choices = "mean, max, min, sample, median", .expected = "or a percentile as p90",
     .help = "Detector that combines frames into a line"},
    {"references", "trace", .kind = OPTION_INDEX, OPTION_FIELD(struct wanted, lines.function),
     .fallback = "clear-write", .choices = TRACE_FUNCTION_NAMES,
     .help = "Function that combines lines into the stored trace"},
    {"references", "count", .kind = OPTION_COUNT, OPTION_FIELD(struct wanted, lines.lines),
     .fallback = "", .min = 1, .max = 1e6, .help = "Number of lines to combine"},
    {"references", "slot", .kind = OPTION_COUNT, OPTION_FIELD(struct wanted, slot), .fallback = "",
     .max = CONNECTION_VIEWS - 1,
     .help =
         "Slot of the view whose trace is stored, before any math, on the websocket that carries "
         "the call. Cannot be combined with the other keys"},
    {0},
};

static int store_measure(const struct api_call *call, const char *measure, struct reason *why)
{
    if (api_values_have(call->values, "detector") || api_values_have(call->values, "trace") ||
        api_values_have(call->values, "count"))
        return reason_key(why, -EINVAL, "measure",
                          "measure: cannot be combined with detector, trace and count");
    const int err = call->on->measure_thread
                        ? measure_thread_store_trace(call->on->measure_thread, measure, call->name)
                        : -ENOENT;
    if (err == -ENOENT)
        return reason_key(why, err, "measure", "there is no measurement %s", measure);
    return err < 0 ? err : 1;
}

static int begin(const struct api_call *call, const struct reference_wanted *wanted,
                 struct reason *why)
{
    struct status now;
    radio_control_status(call->on->radio, &now);
    if (wanted->detector.percent > 0 && settings_sweeps(&now.settings))
        return reason_key(why, -EINVAL, "detector",
                          "a sweep has no density: each column would have the frames of its dwell "
                          "only");
    return reference_takes_begin(call->on->references, call->name, wanted, why);
}

static int store_view(const struct api_call *call, unsigned slot, struct reason *why)
{
    if (json_object_size(call->values) > 1)
        return reason_key(why, -EINVAL, "slot", "slot: the other keys are those of the view");
    if (!call->connection)
        return reason_key(why, -EINVAL, "slot", "slot: only a websocket has views");
    return call->connection->store_view(call->connection->user, slot, call->name, why);
}

static int put(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    struct wanted wanted = {.measure = ""};
    const bool is_new = !exists(call);
    int err = reference_takes_check_name(call->on->references, call->name, why);
    detector_parse("mean", &wanted.lines.detector.index, &wanted.lines.detector.percent);
    if (err == 0)
        err = api_values_read(call->values, keys, &wanted, why);
    if (err == 0)
        err = api_values_have(call->values, "slot") ? store_view(call, wanted.slot, why)
              : wanted.measure[0]                   ? store_measure(call, wanted.measure, why)
                                                    : begin(call, &wanted.lines, why);
    if (err > 0 && call->on->measures_changed)
        call->on->measures_changed(call->on->user);
    reply->later = err > 0;
    if (err == 0 && is_new)
        snprintf(reply->made, sizeof reply->made, "%s", call->name);
    return err < 0 ? err : 0;
}

static int remove_one(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    (void)reply;
    return reference_takes_remove(call->on->references, call->name, why);
}

const struct api_resource api_references = {
    .path = "/api/v1/references",
    .tag = "references",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_all, "Stored traces, and unfinished ones", .keys = NULL},
        {0},
    }};

const struct api_resource api_reference = {
    .path = "/api/v1/references/",
    .tag = "references",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_one, "One stored trace as a file", .keys = NULL},
        {API_PUT, API_OPERATE, put,
         "Stores a trace of the next lines, or that of a measurement or of a view", .keys = keys,
         .example = "{\"trace\": \"max-hold\", \"count\": 20}"},
        {API_DELETE, API_OPERATE, remove_one, "Removes a stored trace", .keys = NULL},
        {0},
    }};
