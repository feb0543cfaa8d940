/* advice.h - advice for the user about the levels of the samples. Pure, any thread. */
#ifndef FFTD_DAEMON_STATUS_ADVICE_H
#define FFTD_DAEMON_STATUS_ADVICE_H

#include "daemon/status/status.h"

/* One clause, or "": nothing is wrong, or the user cannot change it. */
const char *advice_text(const struct status *s);

#endif
