/*
 * history_service.h - gives clients rows of the history. Loop thread; threads of libuv's pool read
 * and encode.
 *
 * A client waits for one answer at a time: a new request replaces one that is not being answered
 * yet, and the next answer is made when the last one was sent. So a slow client holds one frame of
 * at most HISTORY_LEVELS_MAX levels. One answer is made at a time, in the order of the requests.
 */
#ifndef FFTD_DAEMON_HTTP_STREAM_HISTORY_SERVICE_H
#define FFTD_DAEMON_HTTP_STREAM_HISTORY_SERVICE_H

#include <uv.h>

#include "daemon/archive/archive_past.h"
#include "daemon/client/history_request.h"
#include "daemon/http/answer/answer.h"
#include "daemon/line/history/history_thread.h"
#include "daemon/wire/frame.h"

struct reason;
struct client;

struct history_service {
    struct history_thread *thread; /* NULL: no history is kept */
    uint64_t bytes;                /* of its memory */
    uint64_t turns;
    /* the answer that is being made */
    uv_work_t work;
    bool running;
    struct client *client; /* NULL: it has left */
    struct history_request request;
    struct past_source past;
    struct frame *frame;
};

/* Starts the history, unless the options want none. 0, or -errno with one line in error. */
int history_service_start(struct server *s, struct reason *why);
void history_service_finish(struct server *s); /* after the loop ended; zeroed is fine */
/*
 * What rows of the past are read from. The rows of an archive follow those of a radio alone: in a
 * replay, times come again.
 */
struct past_source history_source(const struct server *s, const struct line *latest);
/* NULL, or why there is none. */
const char *history_refusal(const struct server *s);
void history_ask(struct client *c, const struct history_request *request);
void history_next(struct server *s); /* makes the next answer, if none is being made */
void history_leave(struct client *c);
void answer_history(struct server *s, const struct request *r, struct answer *a);

#endif
