/*
 * summary.h - totals of a run: one line in the log, and one JSON object for --stats. The loop
 * thread.
 */
#ifndef FFTD_DAEMON_STATUS_SUMMARY_H
#define FFTD_DAEMON_STATUS_SUMMARY_H

#include <stddef.h>

#include "daemon/status/status.h"

void summary_log(const struct status *s);

struct summary {
    const char *path; /* NULL: not requested */
    int fd;           /* -ENXIO: a FIFO without a reader yet */
};

/*
 * Opens a path, or "-", before the daemon starts, without waiting for the reader of a FIFO. -errno
 * with one line in error that names the path. The content of an old file is kept until
 * summary_truncate. Standard output is never truncated: the shell opened it. The path must outlive
 * the summary.
 */
int summary_open(struct summary *s, const char *path, char *error, size_t error_size);
int summary_truncate(struct summary *s); /* -errno */
/*
 * Writes the object and closes the file. Waits at most timeout_ms for the reader of a FIFO; without
 * one it returns -ENXIO and writes nothing. Other errors: -errno.
 */
int summary_write(struct summary *s, const struct status *status, int timeout_ms);
void summary_close(struct summary *s); /* zeroed or closed is fine */

#endif
