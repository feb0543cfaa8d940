/* resource_lease.c - the control lease: who may change the radio now. */
#include <math.h>

#include "daemon/api/resource.h"
#include "daemon/api/resource_lease.h"
#include "daemon/api/values.h"
#include "daemon/base/clock.h"
#include "daemon/base/json.h"

json_t *lease_to_json(const struct lease *l, bool with_address)
{
    const double seconds = lease_seconds(l, clock_now_ns());
    json_t *user = seconds > 0 ? json_pack("{so sb}", "name", text_to_json(l->user.name),
                                           "websocket", l->user.client != NULL)
                               : json_null();
    if (with_address && seconds > 0)
        json_object_set_new(user, "address", json_string(l->user.address));
    return json_pack("{so sf sf}", "user", user, "seconds", round(seconds * 1000) / 1000, "period",
                     l->period_s);
}

static int get_lease(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    (void)why;
    return api_answer(reply, lease_to_json(&call->on->radio->lease, false));
}

static const struct config_option keys[] = {
    {"lease", "name", .kind = OPTION_LABEL, OPTION_FIELD(struct lease_user, name), .fallback = "",
     .expected = "a text of at most 32 bytes",
     .help = "Name of the new holder, shown to other clients"},
    {0},
};

/* Whoever asks, with the name that is given. */
static int read_user(const struct api_call *call, struct lease_user *user, struct reason *why)
{
    *user = *call->by;
    return api_values_read(call->values, keys, user, why);
}

static int take(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    struct lease_user user;
    int err = read_user(call, &user, why);
    if (err == 0)
        err = radio_control_take_lease(call->on->radio, &user, why);
    return err < 0 ? err : get_lease(call, reply, why);
}

static int release(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    const int err = radio_control_release_lease(call->on->radio, call->by, why);
    return err < 0 ? err : get_lease(call, reply, why);
}

const struct api_resource api_lease = {
    .path = "/api/v1/lease",
    .tag = "radio",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_lease, "Who may change the radio, and for how long", .keys = NULL},
        {API_PUT, API_OPERATE, take, "Takes the lease, even from another client", .keys = keys,
         .example = "{\"name\": \"scan.sh\"}"},
        {API_DELETE, API_OPERATE, release, "Releases the lease", .keys = NULL},
        {0},
    }};
