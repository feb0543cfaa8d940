/* marker_request.c - checks what a client requests of its markers. */
#include "daemon/client/marker_request.h"

#include <errno.h>

#include "daemon/base/reason.h"

static int read_marker(const json_t *object, struct readout_marker *out, struct reason *why)
{
    static const char *const names[] = {"hz", "width_hz", "noise", NULL};
    const struct field_range hertz = {false, -1e15, 1e15}, width = {false, 0, 1e15};
    const json_t *noise = json_object_get(object, "noise");
    if (!json_is_object(object) || !json_object_get(object, "hz"))
        return reason_key(why, -EINVAL, "markers", "markers: a marker is an object with hz");
    int err = fields_check_keys(object, names, "markers", why);
    if (err == 0 && noise && !json_is_boolean(noise))
        err = fields_refuse_value(why, "noise", noise, "true or false");
    if (err == 0)
        err = fields_number(object, "hz", &hertz, &out->hz, why);
    if (err == 0)
        err = fields_number(object, "width_hz", &width, &out->width_hz, why);
    out->noise = json_is_true(noise);
    return err;
}

static int read_peaks(const json_t *object, struct peak_rule *out, struct reason *why)
{
    static const char *const names[] = {"count", "threshold", "excursion", NULL};
    *out = (struct peak_rule){.threshold_db = -300, .excursion_db = 6, .most = 10};
    if (!json_is_object(object))
        return fields_refuse_value(why, "peaks", object, "an object");
    int err = fields_check_keys(object, names, "peaks", why);
    if (err == 0)
        err = fields_count(object, "count", (const uint32_t[]){1, READOUT_PEAKS}, &out->most, why);
    if (err == 0)
        err = fields_number(object, "threshold", &(const struct field_range){false, -300, 100},
                            &out->threshold_db, why);
    if (err == 0)
        err = fields_number(object, "excursion", &(const struct field_range){false, 0.1, 100},
                            &out->excursion_db, why);
    return err;
}

int marker_request_read(const json_t *values, struct readout_choice *out, struct reason *why)
{
    const json_t *markers = json_object_get(values, "markers");
    const json_t *peaks = json_object_get(values, "peaks");
    const json_t *spurs = json_object_get(values, "spurs");
    int err = 0;
    *out = (struct readout_choice){.count = 0};
    if (spurs && !json_is_boolean(spurs))
        err = fields_refuse_value(why, "spurs", spurs, "true or false");
    out->spurs = json_is_true(spurs);
    if (err == 0 && markers &&
        (!json_is_array(markers) || json_array_size(markers) > READOUT_MARKERS))
        err = reason_key(why, -EINVAL, "markers", "markers: not an array of at most %d markers",
                         READOUT_MARKERS);
    if (err == 0)
        err = fields_count(values, "id", (const uint32_t[]){0, UINT32_MAX}, &out->id, why);
    if (err == 0)
        err =
            fields_count(values, "per_second", (const uint32_t[]){1, 1000}, &out->per_second, why);
    out->count = err == 0 ? (uint32_t)json_array_size(markers) : 0;
    for (uint32_t i = 0; err == 0 && i < out->count; i++)
        err = read_marker(json_array_get(markers, i), &out->marker[i], why);
    return err == 0 && peaks ? read_peaks(peaks, &out->peaks, why) : err;
}
