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

struct ws_message;
struct history_request;
struct subscriber;

void history_message_ask(struct subscriber *u, const struct history_request *request);
struct ws_message *history_message_next(struct subscriber *u);
void history_message_leave(struct subscriber *u);

#endif
