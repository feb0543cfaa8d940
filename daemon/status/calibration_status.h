/* calibration_status.h - the calibration's part of the status, and a warning. Loop thread. */
#ifndef FFTD_DAEMON_STATUS_CALIBRATION_STATUS_H
#define FFTD_DAEMON_STATUS_CALIBRATION_STATUS_H

#include "daemon/status/status.h"

/* file: of the configuration, which outlives *out; NULL: none. The stream is filled in already. */
void calibration_status_fill(struct status *out, struct active_calibration *active_calibration,
                             const char *file);

/*
 * Fills it in, and logs once why levels stay in dBFS: another radio is a mistake at once; a
 * frequency or gain without a row only at the end of a run.
 */
void calibration_status_warn(struct status *status, struct active_calibration *active_calibration,
                             const char *file, bool at_end, bool *warned);

/*
 * The serial number of the radio, fit for a table. One without is described; "": a recording, which
 * does not name its radio. Any thread.
 */
void status_radio_name(const struct status *status, char *into, size_t size);

#endif
