/* level_scale.c - finds the unit of a list of levels, and writes the list. */
#include "daemon/calibration/level_scale.h"

#include <math.h>
#include <string.h>

#include "daemon/base/level.h"

struct level_scale level_scale_of(const struct calibration_radio *radio, double first_hz,
                                  double step_hz, uint32_t count)
{
    const struct level_scale scale = {.radio = radio, .first_hz = first_hz, .step_hz = step_hz};
    for (uint32_t k = 0; k < count; k++)
        if (isnan(level_scale_shift_db(&scale, k)))
            return (struct level_scale){0};
    return scale;
}

struct level_scale level_scale_of_line(const struct calibration_radio *radio, double first_hz,
                                       double step_hz, uint32_t count)
{
    if (!radio->table || radio->table->unit == LEVEL_AUTO)
        return (struct level_scale){0};
    return level_scale_of(radio, first_hz, step_hz, count);
}

const char *level_scale_unit(const struct level_scale *scale)
{
    if (!scale->radio)
        return "dBFS";
    return scale->radio->table->unit == LEVEL_DBUV ? "dBuV" : "dBm";
}

double level_scale_shift_db(const struct level_scale *scale, double k)
{
    if (!scale->radio)
        return 0;
    return calibration_radio_shift_db(scale->radio, scale->first_hz + k * scale->step_hz);
}

void level_scale_add_list(struct text *out, const struct level_scale *scale, const float *power,
                          uint32_t count, const char *separator)
{
    const size_t length = strlen(separator);
    for (uint32_t k = 0; k < count; k++) {
        if (k > 0)
            text_add_bytes(out, separator, length);
        text_add_level(out, level_dbfs(power[k]) + level_scale_shift_db(scale, k));
    }
}
