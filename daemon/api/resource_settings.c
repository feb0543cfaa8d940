/* resource_settings.c - the settings of the radio and the analyser that change while fftd runs. */
#include <errno.h>
#include <string.h>

#include "daemon/api/resource.h"
#include "daemon/api/values.h"
#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/control/choices.h"
#include "daemon/status/status_json.h"

static json_t *settings_state(const struct services *on)
{
    struct status now;
    struct radio_options *options = radio_control_options(on->radio);
    radio_control_status(on->radio, &now);
    json_t *choices = choices_to_json(options);
    radio_options_unref(options);
    return json_pack("{so so so}", "settings", settings_to_json(&now.settings), "choices", choices,
                     "refused", text_to_json(now.dsp.refused));
}

static uint64_t settings_version(const struct services *on)
{
    return on->radio->changes + 1;
}

static int get_settings(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    (void)why;
    return api_answer(reply, settings_state(call->on));
}

static int add(void *into, const char *key, const char *text, struct reason *why)
{
    return setting_change_add(into, key, text, why);
}

/* "center" is an option of the command line; the field has its unit in the name. */
static int check_names(const json_t *values, struct reason *why)
{
    const char *names[64], *key;
    const struct config_option *o;
    json_t *value;
    size_t count = 0;
    int err = 0;
    for (; count < sizeof names / sizeof names[0] && (o = setting_at(count)); count++)
        names[count] = o->api;
    json_object_foreach((json_t *)values, key, value)
    {
        if (err == 0 && !radio_change_is_field(key))
            err = api_check_key(key, names, count, why);
    }
    return err;
}

static int change(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    struct status now;
    struct setting_change change = {0};
    int err = check_names(call->values, why);
    if (err == 0)
        err = api_values_each(call->values, add, &change, why);
    if (err == 0 && change.fields == 0 && !change.radio.gains[0] && !change.radio.settings[0])
        err = reason_set(why, -EINVAL, "no setting is given");
    radio_control_status(call->on->radio, &now);
    if (err == 0)
        err = setting_change_check(&change, &now.settings, why);
    if (err < 0)
        return err;
    setting_change_complete(&change);
    err = radio_control_change(call->on->radio, &change, call->by, why);
    return err < 0 ? err : get_settings(call, reply, why);
}

#define EXAMPLE "{\"center_hz\": \"433.92M\", \"window\": \"hann\"}"

const struct api_resource api_settings = {
    .path = "/api/v1/settings",
    .tag = "radio",
    .topic = &(const struct api_state){"after a change of a setting, by anybody", settings_version,
                                       settings_state},
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_settings,
         "The settings that change while fftd runs, the values that they may have, and why the "
         "newest change was refused",
         .keys = NULL},
        {API_PUT, API_TUNE, change, "Changes the settings that are given: all of them, or none",
         .any_key = true, .example = EXAMPLE},
        {API_PATCH, API_TUNE, change, "The same as PUT", .any_key = true, .example = EXAMPLE},
        {0},
    }};
