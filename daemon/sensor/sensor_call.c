/* sensor_call.c - runs calls that came through the broker. */
#include "daemon/sensor/sensor_call.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/carry.h"

uint8_t *sensor_call_refuse(unsigned status, const char *error, bool wrong_token, size_t *size)
{
    struct call_reply r = {.status = status, .wrong_token = wrong_token};
    reason_set(&r.why, -EREMOTEIO, "%s", error);
    return call_reply_write(&r, size);
}

static uint8_t *write_result(const struct call_reply *r, size_t *size)
{
    char why[128];
    uint8_t *data = call_reply_write(r, size);
    if (!data || *size <= CALL_REPLY_MAX)
        return data;
    snprintf(why, sizeof why,
             "the answer has %zu bytes, a hub gets at most %d: ask the radio itself", *size,
             CALL_REPLY_MAX);
    free(data);
    return sensor_call_refuse(502, why, false, size);
}

static uint8_t *write_reply(const struct api_resource *resource, int err,
                            const struct api_reply *reply, const struct reason *why, size_t *size)
{
    struct call_reply r = {.status = api_status_of(err, reply)};
    if (err < 0) {
        r.why = *why;
        if (!why->sentence[0])
            reason_set(&r.why, err, "%s", strerror(-err));
        return call_reply_write(&r, size);
    }
    r.bytes = (const uint8_t *)reply->bytes;
    r.size = reply->size;
    api_location(resource->path, reply, r.location, sizeof r.location);
    r.body = reply->json ? json_incref(reply->json) : json_object();
    uint8_t *data = write_result(&r, size);
    call_reply_finish(&r);
    return data;
}

/* Who asks behind a hub is not who asks over HTTP from the same address. */
static struct lease_user user_of(const struct remote_request *request)
{
    struct lease_user by = {.client = NULL};
    snprintf(by.address, sizeof by.address, "%s via hub", request->from);
    snprintf(by.name, sizeof by.name, "%s", request->name ? request->name : "");
    return by;
}

uint8_t *sensor_call_run(const struct services *on, const struct remote_request *request,
                         const char *at, size_t *size, bool *changed)
{
    const struct lease_user by = user_of(request);
    struct api_call call = {
        .on = on, .by = &by, .control = true, .at = at, .name = "", .values = request->values};
    struct api_reply reply = {0};
    struct reason why = {0};
    char methods[API_METHODS_TEXT];
    const struct api_resource *resource = api_find(request->path, &call.name);
    const enum api_verb verb = api_verb_of(request->verb);
    const struct api_method *method =
        resource && verb < API_VERBS ? api_method_of(resource, verb) : NULL;
    if (!resource)
        return sensor_call_refuse(
            404, "there is no such resource; spectra and files come from the radio itself", false,
            size);
    if (!method) {
        reason_set(&why, -ENOENT, "the methods of this path are %s",
                   api_methods_text(resource, methods));
        return sensor_call_refuse(405, why.sentence, false, size);
    }
    const uint64_t changes = on->radio->changes;
    const int err = api_carry(method, &call, &reply, &why);
    *changed = on->radio->changes != changes;
    uint8_t *data = write_reply(resource, err, &reply, &why, size);
    api_reply_finish(&reply);
    return data;
}
