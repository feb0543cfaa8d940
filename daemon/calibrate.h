/* calibrate.h - --calibrate-level: adds a row to the calibration table from a known tone. */
#ifndef FFTD_DAEMON_CALIBRATE_H
#define FFTD_DAEMON_CALIBRATE_H

#include "daemon/config/config.h"

/*
 * Runs the source with the flat-top window for output.duration_s, prints the row, and writes it
 * into the table. Returns the exit status; one line on the log says why it failed.
 */
int calibrate(const struct config *config);

#endif
