/* line_run.c - runs an acquisition to its end and passes on its lines. */
#include "daemon/run/line_run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/reason.h"

enum { WAIT_MS = 100 };

/* The supervisor is asked now and then, as by the loop of app.c. */
static int read_lines(struct line_run *r, struct line_reader *reader, line_visit *visit, void *user,
                      struct reason *why)
{
    bool closed = false;
    int err = 0;
    while (err == 0 && !closed) {
        struct line *line = line_reader_next(reader, WAIT_MS, &closed);
        if (line && visit)
            err = visit(user, line, why);
        line_unref(r->lines, line);
        acquisition_tick(r->acquisition);
        acquisition_status(r->acquisition, &r->status);
        if (err == 0 && r->status.state == SOURCE_FAILED)
            err = reason_set(why, -EIO, "%s", r->status.message);
    }
    return err;
}

int line_run(struct line_run *r, const struct config *config, line_visit *visit, void *user,
             struct reason *why)
{
    struct line_reader reader;
    int err = line_ring_create(&r->lines, NULL, NULL);
    if (err < 0)
        return err;
    line_reader_join(&reader, r->lines, acquisition_lossless(config));
    const struct acquisition_sinks sinks = {.lines = r->lines};
    err = acquisition_start(&r->acquisition, config, &sinks, why);
    if (err == 0) {
        err = read_lines(r, &reader, visit, user, why);
        acquisition_status(r->acquisition, &r->status);
    }
    line_reader_leave(&reader); /* the dsp thread may wait for it */
    if (r->acquisition)
        r->rest = acquisition_stop(r->acquisition);
    return err;
}

/* A comment or a line's end would end the serial number. */
void line_run_finish(struct line_run *r, int status)
{
    if (r->rest != ACQUISITION_ENDED) {
        fflush(stdout);
        _exit(status);
    }
    acquisition_destroy(r->acquisition);
    line_ring_destroy(r->lines);
    *r = (struct line_run){0};
}
