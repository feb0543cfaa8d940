/* terminal.h - shows the progress of a replay on the terminal, below the messages. Loop thread. */
#ifndef FFTD_DAEMON_STATUS_TERMINAL_H
#define FFTD_DAEMON_STATUS_TERMINAL_H

#include "daemon/config/config.h"
#include "daemon/status/status.h"

/* True for a replay as fast as possible that writes no rows to the same terminal. */
bool terminal_wants_progress(const struct config *config);
/* Rewrites the line, if standard error is a terminal and this process is in its foreground. */
void terminal_show_progress(const struct config *config, const struct status *status);

#endif
