/* learn_run.h - fftd learn-spurs: adds the lines that a radio shows without an antenna to a spur
 * list.
 */
#ifndef FFTD_DAEMON_RUN_LEARN_RUN_H
#define FFTD_DAEMON_RUN_LEARN_RUN_H

#include "daemon/config/config.h"

/*
 * Runs the source for output.duration_s, prints the rows of the lines that the list does not have
 * yet, and adds them to the file. Returns the exit status; one line on the log says why it failed.
 */
int learn_spurs(const struct config *config);

#endif
