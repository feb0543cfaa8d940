/* server.h - serves the radio of this process: the page, HTTP requests and websockets. Loop thread.
 */
#ifndef FFTD_DAEMON_SERVER_SERVER_H
#define FFTD_DAEMON_SERVER_SERVER_H

#include <uv.h>

#include "daemon/config/config.h"
#include "daemon/control/radio_control.h"
#include "daemon/format/band_plan.h"
#include "daemon/line/line_ring.h"
#include "daemon/measure/measure_thread.h"
#include "daemon/record/recorder/recorder.h"
#include "daemon/status/status.h"
#include "daemon/trigger/triggers.h"

struct reason;
struct server;

struct audio;
struct channels;
struct channel_set;
struct event_log;

/* The parts that the server uses, and its callbacks, which run on the loop thread. */
struct server_hooks {
    uv_loop_t *loop;
    struct line_ring *lines;
    struct radio_control *control;                 /* the server is its watcher */
    struct measure_thread *measure_thread;         /* NULL: no measurements */
    struct measure_thread *own_measure_thread;     /* of single clients; NULL: none */
    struct active_calibration *active_calibration; /* NULL: no calibration */
    struct reference_store *references;            /* NULL: no references */
    const char *spurs_file;            /* that learnt spurs are added to; NULL: nowhere */
    bool spurs_own;                    /* it is in the state directory */
    struct spurs *spurs;               /* NULL: no list */
    const struct band_plan *band_plan; /* NULL: none; may change between calls */
    struct channels *channels;         /* NULL: none are possible */
    struct channel_set **channel_set;  /* the named ones */
    struct audio *audio;               /* NULL: none comes of channels */
    struct recorder *recorder;         /* NULL: no recordings */
    const char *archive;               /* folder of the spectrum archive; NULL: none */
    struct triggers *triggers;         /* NULL: none are possible */
    struct event_log *event_log;       /* NULL: events are in memory only */
    unsigned detectors; /* FFT_DETECTOR_ bits that others read, whatever the server's clients do */
    bool lossless;      /* the history stores every line, and the writer waits for it (replay) */
};

/*
 * Starts to listen. -EADDRINUSE, -EACCES, -EINVAL... with one line in *why that names the address
 * or file. After a failure, too, *out is stopped and destroyed as below, unless it is NULL: handles
 * of libwebsockets take several rounds of the loop to close. The server has its own reader of
 * lines, which is not lossless. The strings of the options must outlive the server, except for the
 * token's.
 */
int server_start(struct server **out, const struct server_options *options,
                 const struct server_hooks *hooks, struct reason *why);
struct services;
/* What resources work on, also for others that carry calls. */
const struct services *server_services(const struct server *s);
void server_on_lines(struct server *s);  /* call after the wake-up: handles all waiting lines */
void server_on_blocks(struct server *s); /* the same for new blocks of channels */
/* Reads certificate and key again; what is wrong is logged. */
void server_reload_tls(struct server *s);
/*
 * True once the ring is closed, the server has read its last line, and the message about the end
 * was sent to every browser, or has waited for a second.
 */
bool server_drained(const struct server *s);
/* And every client that a replay waits for has the end of its channel. */
bool server_finished(const struct server *s);
const char *server_url(const struct server *s);  /* "http://127.0.0.1:8010/", for people */
const char *server_note(const struct server *s); /* " (every IPv4 address)" or "" */
/* Starts to close all connections. The loop ends when all handles are closed. */
void server_stop(struct server *s);
void server_destroy(struct server *s); /* after the loop ended, before uv_loop_close */

#endif
