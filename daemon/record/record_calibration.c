/* record_calibration.c - the calibration of a capture as JSON. */
#include "daemon/record/record_calibration.h"

#include <math.h>
#include <string.h>

#include "daemon/base/json.h"

static bool is_calibrated(const struct calibration_point *points, size_t count)
{
    size_t i = 0;
    while (i < count && !isfinite(points[i].offset_db))
        i++;
    return i < count;
}

static json_t *table_to_json(const struct calibration_radio *radio, double low_hz, double high_hz)
{
    const struct calibration *c = &radio->table->calibration;
    struct calibration_point points[CALIBRATION_POINTS];
    const size_t count = calibration_radio_curve(radio, low_hz, high_hz, points);
    if (!is_calibrated(points, count))
        return NULL;
    json_t *o = json_pack("{s:o}", "offset_db", calibration_curve_to_json(points, count));
    if (o && c->serial[0])
        json_object_set_new(o, "serial", text_to_json(c->serial));
    if (o && c->date[0])
        json_object_set_new(o, "date", text_to_json(c->date));
    if (o && isfinite(c->uncertainty_db))
        json_object_set_new(o, "uncertainty_db", json_real(c->uncertainty_db));
    return o;
}

json_t *record_calibration(struct calibrator *calibrator, const struct stream *s,
                           const struct record_moment *m, double low_hz, double high_hz)
{
    struct calibration_table *table = calibrator_hold(calibrator);
    struct calibration_radio radio = calibration_radio_of_stream(table, s);
    radio.tuning = m->tuning;
    radio.gain_db = m->gain_db;
    json_t *o = table ? table_to_json(&radio, low_hz, high_hz) : NULL;
    calibration_table_drop(table);
    return o;
}
