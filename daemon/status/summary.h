/*
 * summary.h - what a run amounted to: one line for people, one JSON object for --stats.
 */
#ifndef FFTD_DAEMON_STATUS_SUMMARY_H
#define FFTD_DAEMON_STATUS_SUMMARY_H

#include <stddef.h>

#include "daemon/status/status.h"

void summary_log(const struct status *s);

struct summary {
    const char *path; /* NULL: not asked for */
    int fd;           /* -ENXIO: a FIFO that nobody reads yet */
};

/*
 * Opens a path, or "-", before anything starts, without waiting for the reader of a FIFO; -errno
 * and one line in error that names it. What an old file holds is kept until summary_truncate.
 * Standard output is never emptied: its file is the shell's. The path must live on.
 */
int summary_open(struct summary *s, const char *path, char *error, size_t error_size);
int summary_truncate(struct summary *s); /* -errno */
/*
 * One object, once; closes it. A FIFO that nobody reads even now gets so long to find its reader:
 * then -ENXIO, and nothing is written. Else -errno.
 */
int summary_write(struct summary *s, const struct status *status, unsigned patience_ms);
void summary_close(struct summary *s); /* zeroed or closed is fine */

#endif
