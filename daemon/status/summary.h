/*
 * summary.h - totals of a run: one line in the log, and one JSON object for --stats. The loop
 * thread.
 */
#ifndef FFTD_DAEMON_STATUS_SUMMARY_H
#define FFTD_DAEMON_STATUS_SUMMARY_H

#include <stddef.h>

#include "daemon/files/out_file.h"
#include "daemon/status/status.h"

struct reason;

void summary_log(const struct status *s);

struct summary {
    bool wanted;
    struct out_file file;
};

/*
 * Opens the file before the daemon starts, without waiting for the reader of a FIFO, and begins it
 * when the source is open: see out_file.h. -errno with one line in *why that names the path, which
 * must outlive the summary.
 */
int summary_open(struct summary *s, const struct out_file_config *config, struct reason *why);
int summary_begin(struct summary *s, struct reason *why);
int summary_reopen(struct summary *s, struct reason *why); /* for SIGHUP */
/*
 * Writes the object as one line and closes the file. Waits at most timeout_ms for the reader of a
 * FIFO; without one it returns -ENXIO and writes nothing. -errno with one line in *why.
 */
int summary_write(struct summary *s, const struct status *status, int timeout_ms,
                  struct reason *why);
void summary_close(struct summary *s); /* zeroed or closed is fine */

#endif
