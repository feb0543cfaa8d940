/*
 * archiver.h - the archive thread: reads lines from their ring and writes them to the archive.
 *
 * In real time the thread skips lines when it is too slow, and marks their rows; no other thread
 * waits for it. In replay (lossless) every line is archived. When the disk is full, rows are lost
 * and counted; the archive continues when there is room.
 *
 * Rows of the finest tier are written 10 s after their first sample, or when 64 of them are
 * complete. If the process is killed, younger rows are lost. The next start folds coarser tiers
 * again from finer ones.
 */
#ifndef FFTD_DAEMON_ARCHIVE_WRITE_ARCHIVER_H
#define FFTD_DAEMON_ARCHIVE_WRITE_ARCHIVER_H

#include "daemon/archive/archive_options.h"
#include "daemon/calibration/active_calibration.h"
#include "daemon/figure/figure.h"
#include "daemon/line/line_ring.h"

struct reason;
struct archiver;

struct archiver_config {
    const struct archive_options *options;
    struct line_ring *lines;
    struct active_calibration *active_calibration; /* NULL: no calibration */
    bool lossless;
};

/* Starts the thread, from the next line on. -errno with one line in *why. */
int archiver_start(struct archiver **out, const struct archiver_config *config, struct reason *why);
/*
 * After the ring was closed: waits until every line is on the disk. False: rows were lost. NULL
 * gives true.
 */
bool archiver_finish(struct archiver *a);
void archiver_destroy(struct archiver *a); /* finished, or NULL */

/* Memory that it takes: the rows of its tiers, and a block that is being written. 0: no archive. */
uint64_t archiver_bytes(const struct archive_options *options);

struct archiver_state {
    bool on;
    uint64_t lines, missed;   /* read; passed over */
    uint64_t rows, lost_rows; /* on the disk; lost to a full or failing disk */
    uint64_t bytes;           /* of all segments */
    char failure[160];        /* why rows are being lost; "": they are not */
};
extern const struct figure archiver_figures[]; /* of the JSON and the metrics */
void archiver_state(struct archiver *a, struct archiver_state *out); /* any thread; NULL: zero */

#endif
