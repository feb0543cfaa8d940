/* check_config.h - --check-config: opens the files and devices that the configuration names. */
#ifndef FFTD_DAEMON_CHECK_CONFIG_H
#define FFTD_DAEMON_CHECK_CONFIG_H

#include "daemon/config/config.h"

/*
 * Opens and closes the engine and the recording, reads the token, and checks that the outputs and
 * the address can be opened. No file is created or changed, and no radio is opened. Returns the
 * exit status: prints "ok", or logs one line.
 */
int check_config(const struct config *config);

#endif
