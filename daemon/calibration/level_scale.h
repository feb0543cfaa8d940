/*
 * level_scale.h - the unit in which the levels of a line are written for others. Pure, any thread.
 *
 * The levels of one list have one unit: dBFS, unless the calibration of every frequency is known.
 */
#ifndef FFTD_DAEMON_CALIBRATION_LEVEL_SCALE_H
#define FFTD_DAEMON_CALIBRATION_LEVEL_SCALE_H

#include "daemon/calibration/active_calibration.h"

struct level_scale {
    const struct calibration_radio *radio; /* outlives the scale; NULL: dBFS */
    double first_hz, step_hz;              /* of level k: first_hz + k * step_hz */
};

/* Of count levels. */
struct level_scale level_scale_of(const struct calibration_radio *radio, double first_hz,
                                  double step_hz, uint32_t count);
/* The same, but dBFS unless level-unit names another unit: of lines as a whole. */
struct level_scale level_scale_of_line(const struct calibration_radio *radio, double first_hz,
                                       double step_hz, uint32_t count);
const char *level_scale_unit(const struct level_scale *scale); /* "dBFS", "dBm", "dBuV" */
/* To add to level k in dBFS. */
double level_scale_shift_db(const struct level_scale *scale, double k);
/* As level_add_list. */
void level_scale_add_list(struct text *out, const struct level_scale *scale, const float *power,
                          uint32_t count, const char *separator);

#endif
