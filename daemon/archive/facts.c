/* facts.c - tuning, resolution and calibration of a line, as JSON. */
#include "daemon/archive/facts.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/format/calibration.h"
#include "daemon/stream/tuning.h"

static json_t *tuning_json(const struct line *line)
{
    const struct tuning *t = &line->tuning;
    return json_pack("{so so so so ss ss ss ss sb sb}", "center_hz", number_to_json(t->center_hz),
                     "rate_hz", number_to_json(t->rate_hz), "gain_db",
                     number_to_json(line->gain_db), "ppm", number_to_json(t->ppm), "gain", t->gain,
                     "antenna", t->antenna, "settings", t->settings, "serial", line->serial,
                     "rate_assumed", line->rate_assumed, "simulated", line->simulated);
}

static json_t *resolution_json(const struct line *line)
{
    return json_pack(
        "{sI sI ss so so so sI so}", "fft_size", (json_int_t)line_fft_size(line), "hop",
        (json_int_t)line->hop, "window", line->window, "enbw_bins", number_to_json(line->enbw_bins),
        "bin_hz", number_to_json(line_bin_hz(line)), "rbw_hz", number_to_json(line_rbw_hz(line)),
        "dwells", (json_int_t)line->dwells, "usable_percent", number_to_json(line->usable_percent));
}

/* [[Hz, dB], ...]: dBm = dBFS + dB; null: uncal. */
static json_t *calibration_json(const struct line *line, struct calibration_table *table)
{
    struct calibration_point points[CALIBRATION_POINTS];
    const struct calibration_radio radio = calibration_radio_of(table, line);
    const double low_hz = line_low_hz(line), high_hz = low_hz + line->n * line_bin_hz(line);
    const size_t count = calibration_radio_curve(&radio, low_hz, high_hz, points);
    return count > 0 ? calibration_curve_to_json(points, count) : json_null();
}

void facts_write(const struct line *line, struct calibration_table *table, char into[ARCHIVE_FACTS])
{
    json_t *facts = tuning_json(line), *resolution = resolution_json(line);
    if (facts && resolution) {
        json_object_update(facts, resolution);
        json_object_set_new(facts, "calibration", calibration_json(line, table));
    }
    char *text = facts && resolution ? json_text(facts, JSON_COMPACT) : NULL;
    strcpy(into, text && strlen(text) < ARCHIVE_FACTS ? text : "{}");
    free(text);
    json_decref(facts);
    json_decref(resolution);
}

static bool same(double a, double b)
{
    return a - b == 0 || (isnan(a) && isnan(b));
}

/* Of all that facts_write reads. */
static bool is_same_line(const struct line *a, const struct line *b)
{
    return tuning_equal(&a->tuning, &b->tuning) && same(a->gain_db, b->gain_db) && a->n == b->n &&
           a->hop == b->hop && line_fft_size(a) == line_fft_size(b) && a->dwells == b->dwells &&
           same(a->enbw_bins, b->enbw_bins) && same(a->usable_percent, b->usable_percent) &&
           a->rate_assumed == b->rate_assumed && a->simulated == b->simulated &&
           strcmp(a->window, b->window) == 0 && strcmp(a->serial, b->serial) == 0;
}

const char *facts_of(struct facts *f, const struct line *line, struct calibration_table *table)
{
    if (f->known && f->table == table && is_same_line(&f->line, line))
        return f->text;
    facts_write(line, table, f->text);
    calibration_table_unref(f->table);
    f->table = calibration_table_ref(table);
    line_copy_facts(&f->line, line);
    f->known = true;
    return f->text;
}

void facts_finish(struct facts *f)
{
    calibration_table_unref(f->table);
    *f = (struct facts){0};
}

bool facts_rate_assumed(const char *text)
{
    json_t *facts = json_loads(text, 0, NULL);
    const bool assumed = json_is_true(json_object_get(facts, "rate_assumed"));
    json_decref(facts);
    return assumed;
}
