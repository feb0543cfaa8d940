/* terminal.h - shows the progress of a replay on the terminal, below the messages. Loop thread. */
#ifndef FFTD_DAEMON_TERMINAL_H
#define FFTD_DAEMON_TERMINAL_H

#include "daemon/acquisition.h"

/* True for a replay as fast as possible that writes no rows to the same terminal. */
bool terminal_wants_progress(const struct config *config);
/* Rewrites the line, if standard error is a terminal and this process is in its foreground. */
void terminal_show_progress(const struct config *config, struct acquisition *acquisition);

#endif
