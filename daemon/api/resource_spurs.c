/* resource_spurs.c - the spur list in force, and learning one from the radio. */
#include <errno.h>
#include <math.h>

#include "daemon/api/collect/spur_learning.h"
#include "daemon/api/resource.h"
#include "daemon/api/values.h"
#include "daemon/base/json.h"
#include "daemon/calibration/spurs.h"
#include "daemon/stream/settings.h"

static json_t *spur_to_json(const struct spur *spur, double center_hz)
{
    char frequency[48];
    const double hz = spur->relative ? center_hz + spur->hz : spur->hz;
    return json_pack("{ss so so so}", "frequency", spur_frequency_text(spur, frequency), "hz",
                     number_to_json(hz), "width_hz", number_to_json(spur->width_hz), "note",
                     text_to_json(spur->note));
}

static json_t *text_or_null(const char *text)
{
    return text[0] ? text_to_json(text) : json_null();
}

static int get_spurs(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    static const struct spur_list none;
    struct spur_table *table = spurs_ref(call->on->spurs);
    const struct spur_list *list = table ? &table->list : &none;
    json_t *rows = json_array();
    struct status now;
    (void)why;
    radio_control_status(call->on->radio, &now);
    const double center_hz = now.dsp.n > 0 ? now.stream.tuning.center_hz : (double)NAN;
    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(rows, spur_to_json(&list->spur[i], center_hz));
    json_t *json =
        json_pack("{so so sb so so so}", "serial", text_or_null(list->serial), "date",
                  text_or_null(list->date), "dc_spur",
                  settings_dc_spur(&now.settings, now.radio && !now.stream.simulated), "spurs",
                  rows, "learning", spur_learning_progress_json(call->on->learning), "learnt",
                  spur_learning_result_json(call->on->learning));
    spur_table_unref(table);
    return api_answer(reply, json);
}

static const struct config_option keys[] = {
    {"spurs", "duration", .kind = OPTION_NUMBER,
     OPTION_FIELD(struct spur_learning_wanted, duration_s), .fallback = "1", .unit = SI_SECONDS,
     .min = 0.1, .max = 60, .help = "Time over which lines are averaged"},
    {"spurs", "threshold", .kind = OPTION_NUMBER,
     OPTION_FIELD(struct spur_learning_wanted, threshold_db), .fallback = "10", .unit = SI_DB,
     .min = 3, .max = 100,
     .help = "Height above the noise floor from which a peak counts as a spur"},
    {0},
};

static int learn(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    struct spur_learning_wanted wanted = {.duration_s = 1, .threshold_db = 10};
    int err = api_values_read(call->values, keys, &wanted, why);
    if (err == 0)
        err = spur_learning_begin(call->on->learning, &wanted, why);
    if (err < 0)
        return err;
    reply->later = true;
    return get_spurs(call, reply, why);
}

const struct api_resource api_spurs = {
    .path = "/api/v1/spurs",
    .tag = "radio",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_spurs, "The spur list in force, and the result of learning",
         .keys = NULL},
        {API_POST, API_OPERATE, learn,
         "Learns the spurs of the radio and adds them to the list; first terminate its input",
         .keys = keys, .example = "{\"duration\": \"0.2s\"}"},
        {0},
    }};
