/* hub_run.h - runs fftd as a hub. */
#ifndef FFTD_DAEMON_HUB_SERVE_HUB_RUN_H
#define FFTD_DAEMON_HUB_SERVE_HUB_RUN_H

#include "daemon/config/config.h"

struct reason;

/* Serves until a signal ends it. Returns the exit status; failures are logged. */
int hub_run(const struct config *config);
/* For --check-config: the files and the address. -errno with one line in *why. */
int hub_check(const struct config *config, struct reason *why);

#endif
