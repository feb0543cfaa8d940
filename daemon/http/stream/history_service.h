/*
 * history_service.h - the history of recent lines: its thread, what is read of it, and what
 * /api/v1/history answers. Loop thread; any thread reads a source.
 */
#ifndef FFTD_DAEMON_HTTP_STREAM_HISTORY_SERVICE_H
#define FFTD_DAEMON_HTTP_STREAM_HISTORY_SERVICE_H

#include "daemon/archive/read/archive_past.h"
#include "daemon/line/history/history_thread.h"

struct reason;
struct spectra;

struct history_service {
    struct spectra *spectra;       /* that render its rows; set by the owner, as is the next */
    const char *archive;           /* folder of the spectrum archive; NULL: none */
    struct history_thread *thread; /* NULL: no history is kept */
    uint64_t bytes;                /* of its memory */
};

/*
 * Starts the history, unless bytes is 0; takes less where memory is short. lossless: it stores
 * every line, and the writer waits for it. 0, or -errno with one line in *why.
 */
int history_service_start(struct history_service *h, struct line_ring *lines, uint64_t bytes,
                          bool lossless, struct reason *why);
void history_service_finish(struct history_service *h); /* after the loop ended; zeroed is fine */
/*
 * What rows of the past are read from. The rows of an archive follow those of a radio alone: in a
 * replay, times come again.
 */
struct past_source history_service_source(const struct history_service *h,
                                          const struct line *latest);
/* NULL, or why there is none. */
const char *history_service_refusal(const struct history_service *h);

#endif
