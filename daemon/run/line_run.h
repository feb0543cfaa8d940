/*
 * line_run.h - runs an acquisition to its end and passes on its lines: for calibrations and checks,
 * which need no server and no outputs. The main thread.
 */
#ifndef FFTD_DAEMON_RUN_LINE_RUN_H
#define FFTD_DAEMON_RUN_LINE_RUN_H

#include "daemon/run/acquisition.h"

struct reason;

/* Zeroed at first. */
struct line_run {
    struct line_ring *lines;
    struct acquisition *acquisition;
    struct status status;       /* after the last line */
    enum acquisition_rest rest; /* threads that still run after it */
};

/* -errno with one line in *why ends the run. The line is held during the call only. */
typedef int line_visit(void *user, const struct line *line, struct reason *why);

/*
 * visit: NULL drops the lines. Until the last line: the end of a recording, or the limits in
 * config->output. config outlives the run. -errno with one line in *why; finish it in any case.
 */
int line_run(struct line_run *r, const struct config *config, line_visit *visit, void *user,
             struct reason *why);
/* Ends the process with `status` if a stuck thread uses what would be freed. */
void line_run_finish(struct line_run *r, int status);

#endif
