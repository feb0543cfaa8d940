/* resource_measurements.c - measurements: the list, one of them, new ones, and their end. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/keys_json.h"
#include "daemon/api/resource.h"
#include "daemon/base/reason.h"
#include "daemon/measure/report_json.h"

/* Of one set-up: its newest result, or that there is none yet; and its keys. */
static json_t *result_to_json(const struct measure_snapshot *newest,
                              const struct measure_setup *setup)
{
    const struct measure_report *r = measure_snapshot_find(newest, 0, setup->text.name);
    const struct option_family family = measure_family();
    const struct option_type type = measure_type(setup->ops);
    json_t *result = r ? report_to_json(newest, r) : setup_to_json(setup);
    if (result)
        json_object_set_new(result, "keys", keys_to_json(&setup->text, &family, &type));
    return result;
}

json_t *measurements_to_json(struct measure_thread *m)
{
    struct measure_snapshot *newest = m ? measure_thread_newest(m) : NULL;
    json_t *list = json_array();
    for (size_t i = 0; m && i < measure_thread_count(m); i++)
        json_array_append_new(list, result_to_json(newest, measure_thread_setup(m, i)));
    measure_snapshot_unref(newest);
    return json_pack("{so}", "measurements", list);
}

static int get_all(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    (void)why;
    return api_answer(reply, measurements_to_json(call->on->measure_thread));
}

static const struct measure_setup *find(const struct api_call *call)
{
    const struct measure_thread *m = call->on->measure_thread;
    for (size_t i = 0; m && i < measure_thread_count(m); i++)
        if (strcmp(measure_thread_setup(m, i)->text.name, call->name) == 0)
            return measure_thread_setup(m, i);
    return NULL;
}

static int get_one(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    const struct measure_setup *setup = find(call);
    if (!setup)
        return reason_set(why, -ENOENT, "there is no such measurement");
    struct measure_snapshot *newest = measure_thread_newest(call->on->measure_thread);
    json_t *result = result_to_json(newest, setup);
    measure_snapshot_unref(newest);
    return api_answer(reply, result);
}

/* ---- changes ---------------------------------------------------------------------------- */

static int set(const struct api_call *call, const struct option_text *text, struct reason *why)
{
    struct measure_setup *setup;
    int err = measure_setup_create(&setup, text, NULL, why);
    if (err < 0)
        return err;
    err = measure_thread_set(call->on->measure_thread, setup);
    if (err == -EMFILE)
        reason_set(why, err, "there are already %d measurements, the maximum", MEASUREMENTS_MAX);
    if (err == 0 && call->on->measures_changed)
        call->on->measures_changed(call->on->user);
    return err;
}

static int put(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    if (!call->on->measure_thread)
        return reason_set(why, -ENOTSUP, "no measurements are possible here");
    const int err = keys_put(call, reply, !find(call), set, why);
    return err < 0 ? err : get_one(call, reply, why);
}

static int remove_one(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    const int err = call->on->measure_thread
                        ? measure_thread_remove(call->on->measure_thread, 0, call->name)
                        : -ENOENT;
    (void)reply;
    if (err == -ENOENT)
        return reason_set(why, err, "there is no such measurement");
    if (err == 0 && call->on->measures_changed)
        call->on->measures_changed(call->on->user);
    return err;
}

const struct api_resource api_measurements = {
    .path = "/api/v1/measurements",
    .tag = "measurements",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_all, "The newest result of each measurement", .keys = NULL},
        {0},
    }};

const struct api_resource api_measurement = {
    .path = "/api/v1/measurements/",
    .tag = "measurements",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_one, "The newest result of one measurement", .keys = NULL},
        {API_PUT, API_OPERATE, put,
         "Creates or replaces a measurement; /api/v1/measurement-types lists types and keys",
         .any_key = true,
         .example = "{\"type\": \"channel-power\", \"center\": \"100M\", \"width\": \"200k\"}"},
        {API_DELETE, API_OPERATE, remove_one, "Removes a measurement", .keys = NULL},
        {0},
    }};
