/*
 * history_message.h - rows of the history for clients: frames. Loop thread; threads of libuv's pool
 * read and encode.
 *
 * A client waits for one answer at a time: a new request replaces one that is not being answered
 * yet, and the next answer is made when the last one was sent. So a slow client holds one frame of
 * at most HISTORY_LEVELS_MAX levels. One answer is made at a time, in the order of the requests.
 */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_HISTORY_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_HISTORY_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "daemon/archive/archive_past.h"
#include "daemon/client/history_request.h"

struct frame;
struct subscriber;

/* Zeroed: nobody has asked. */
struct history_turns {
    uint64_t count;
    /* the answer that is being made */
    uv_work_t work;
    bool running;
    struct live *live;
    struct subscriber *subscriber; /* NULL: it has left */
    struct history_request request;
    struct past_source past;
    struct frame *frame;
};

/* What a client has of it. */
struct history_wait {
    struct history_request request; /* asked for, if turn is not 0 */
    uint64_t turn;                  /* smaller numbers are answered first */
    struct frame *rows;             /* not sent yet; NULL: none */
};

void history_message_ask(struct subscriber *u, const struct history_request *request);
bool history_message_is_due(const struct subscriber *u);
struct frame *history_message_next(struct subscriber *u);
void history_message_leave(struct subscriber *u);

#endif
