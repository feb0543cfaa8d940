/* calibration_status.h - the calibration's part of the status. Loop thread. */
#ifndef FFTD_DAEMON_STATUS_CALIBRATION_STATUS_H
#define FFTD_DAEMON_STATUS_CALIBRATION_STATUS_H

#include "daemon/status/status.h"

/* file: of the configuration, which outlives *out; NULL: none. The stream is filled in already. */
void calibration_status_fill(struct status *out, struct calibrator *calibrator, const char *file);

#endif
