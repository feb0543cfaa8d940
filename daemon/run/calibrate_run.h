/*
 * calibrate_run.h - fftd calibrate: edits the calibration table from a known
 * tone.
 */
#ifndef FFTD_DAEMON_RUN_CALIBRATE_RUN_H
#define FFTD_DAEMON_RUN_CALIBRATE_RUN_H

#include "daemon/config/config.h"

/*
 * Runs the source with the flat-top window for output.duration_s, prints the row and the ppm that
 * were asked for, and writes them into the table. Returns the exit status; one line on the log says
 * why it failed.
 */
int calibrate(const struct config *config);

#endif
