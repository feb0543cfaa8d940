/* verify_run.h - fftd verify: checks engine, levels, bursts, density, the ledger and speed, and
 * reports.
 */
#ifndef FFTD_DAEMON_RUN_VERIFY_RUN_H
#define FFTD_DAEMON_RUN_VERIFY_RUN_H

#include "daemon/config/config.h"

/* Prints one page. EXIT_SUCCESS: every check passed. */
int verify(const struct config *config);

#endif
