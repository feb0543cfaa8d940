/* record_calibration.h - the calibration of a capture as JSON. Any thread. */
#ifndef FFTD_DAEMON_RECORD_RECORD_CALIBRATION_H
#define FFTD_DAEMON_RECORD_RECORD_CALIBRATION_H

#include <jansson.h>

#include "daemon/calibration/calibrator.h"
#include "daemon/record/record_meta.h"

/*
 * What a reader of the samples adds to dBFS for dBm at the antenna socket, from low_hz to high_hz:
 * {"offset_db": [[hz, dB], ...], "serial", "date", "uncertainty_db"}, of the table in force. NULL:
 * uncal, or no memory. calibrator: NULL is fine.
 */
json_t *record_calibration(struct calibrator *calibrator, const struct stream *s,
                           const struct record_moment *m, double low_hz, double high_hz);

#endif
