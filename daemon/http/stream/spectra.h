/*
 * spectra.h - answers /api/v1/spectrum without loading the loop thread: a thread of libuv's pool
 * renders the newest line, and equal requests share the result. Loop thread.
 *
 *     request -> an entry for its query -> QUEUED -> RUNNING (pool) -> DONE -> all that wait
 *
 * One entry runs at a time. So at most one other line than the newest is held, and a ring of three
 * blocks still has one for the dsp thread. An entry that is done answers further requests until the
 * next line.
 */
#ifndef FFTD_DAEMON_HTTP_STREAM_SPECTRA_H
#define FFTD_DAEMON_HTTP_STREAM_SPECTRA_H

#include <uv.h>

#include "daemon/http/stream/spectrum_text.h"

struct answer;
struct answer_source;
struct density_service;
struct feed;
struct history_service;
struct http_server;
struct reference_store;
struct request;
struct demand;

enum {
    SPECTRA_DONE_MAX = 8,    /* entries that keep their bytes until the next line */
    SPECTRUM_PATIENCE_S = 10 /* that a request waits for a line with the requested detector */
};

struct spectra {
    /* set by the owner */
    struct http_server *http;
    const struct feed *feed; /* has the newest line */
    struct line_ring *lines;
    struct active_calibration *active_calibration; /* NULL: no calibration */
    struct reference_store *references;            /* NULL: no references */
    struct demand *demand;
    struct density_service *density;
    const struct history_service *history;

    struct spectrum *entries; /* oldest first */
    struct spectrum *running; /* NULL: none */
    uv_work_t work;
    uint64_t total; /* that were rendered */
};

/*
 * A request for the newest line, or for the next one that has the density or the detector. NULL: no
 * memory.
 */
struct answer_source *spectra_request(struct spectra *s, const struct spectrum_query *query);
void spectra_on_line(struct spectra *s); /* after a new line: frees the entries that are done */
void spectra_on_tick(struct spectra *s); /* every second */
void spectra_finish(struct spectra *s);  /* after the loop ended */
/* Of the route /api/v1/spectrum; spectra: a struct spectra. */
void spectra_answer(void *spectra, const struct request *r, struct answer *a);

#endif
