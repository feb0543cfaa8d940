/*
 * spectra.h - answers /api/v1/spectrum without loading the loop thread: a thread of libuv's pool
 * renders the newest line, and equal requests share the result. Loop thread.
 *
 *     request -> an entry for its query -> QUEUED -> RUNNING (pool) -> DONE -> all that wait
 *
 * One entry runs at a time. So beside the newest line at most one other is held, and a ring of
 * three blocks still has one for the dsp thread. An entry that is done answers further requests
 * until the next line.
 */
#ifndef FFTD_DAEMON_HTTP_STREAM_SPECTRA_H
#define FFTD_DAEMON_HTTP_STREAM_SPECTRA_H

#include <uv.h>

#include "daemon/http/stream/spectrum_text.h"

struct server;
struct pending_answer;

enum {
    SPECTRA_DONE_MAX = 8,    /* entries that keep their bytes until the next line */
    SPECTRUM_PATIENCE_S = 10 /* that a request waits for a line that has what it asks for */
};

struct spectrum; /* an entry */

struct spectra {
    struct spectrum *entries; /* oldest first */
    struct spectrum *running; /* NULL: none */
    uv_work_t work;
};

/*
 * Adds a request for the newest line, or for the next one that has the density or the detector.
 * NULL: no memory.
 */
struct spectrum *spectrum_request(struct server *s, const struct spectrum_query *query);
/* Answers `out` now or when the entry is done. */
void spectrum_wait(struct spectrum *entry, struct pending_answer *out);
void spectrum_leave(struct spectrum *entry,
                    struct pending_answer *out); /* does not wait any more */
void spectra_on_line(struct server *s); /* after a new line: frees the entries that are done */
void spectra_on_tick(struct server *s); /* every second */
void spectra_finish(struct server *s);  /* after the loop ended */

#endif
