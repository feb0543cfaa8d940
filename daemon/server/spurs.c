/* spurs.c - the spur list in force: /api/v1/spurs. */
#include <math.h>

#include "daemon/base/json.h"
#include "daemon/server/internal.h"
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

void answer_spurs(struct server *s, const struct request *r, struct answer *a)
{
    static const struct spur_list none;
    struct spur_table *table = spurs_hold(s->hooks.spurs);
    const struct spur_list *list = table ? &table->list : &none;
    json_t *rows = json_array();
    struct status now;
    (void)r;
    server_update_status(s, &now);
    const double center_hz = now.dsp.n > 0 ? now.stream.tuning.center_hz : (double)NAN;
    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(rows, spur_to_json(&list->spur[i], center_hz));
    answer_json(s,
                json_pack("{so so sb so so so}", "serial", text_or_null(list->serial), "date",
                          text_or_null(list->date), "dc_spur",
                          settings_dc_spur(&now.settings, now.radio && !now.stream.simulated),
                          "spurs", rows, "learning", learn_progress_json(s), "learnt",
                          learn_result_json(s)),
                JSON_REAL_PRECISION(15), a);
    spur_table_drop(table);
}
