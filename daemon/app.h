/*
 * app.h - the running daemon: event loop, signals, acquisition, outputs and server.
 */
#ifndef FFTD_DAEMON_APP_H
#define FFTD_DAEMON_APP_H

#include "daemon/config/config.h"

/* Runs until the recording ends, a limit is reached or a signal arrives. Returns the exit status.
 */
int app_run(struct config *config);

#endif
