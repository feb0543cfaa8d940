/* progress.h - how far a replay has come, as one line of text for a terminal. Pure, any thread. */
#ifndef FFTD_DAEMON_STATUS_PROGRESS_H
#define FFTD_DAEMON_STATUS_PROGRESS_H

#include <stddef.h>

#include "daemon/status/status.h"

struct progress_limits {
    double seconds; /* of samples; 0: none */
    uint64_t lines; /* 0: none */
};

/*
 * "38 %, 1.2 of 3.2 GS, 145 MS/s, 14 s left"; of a pipe, whose end is unknown, "1.2 GS, 145 MS/s".
 * The end is that of the recording, or an earlier limit. Returns `into`.
 */
const char *progress_text(const struct status *s, const struct progress_limits *limits, char *into,
                          size_t size);

/* Whether a recording was not read to its end. A loop has none. */
bool progress_is_unfinished(const struct status *s);

#endif
