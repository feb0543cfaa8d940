/*
 * replay_message.h - the message "replay": the anchors of a recording that a client does not have
 * yet; it goes before the frames that they are for. Loop thread.
 */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_REPLAY_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_REPLAY_MESSAGE_H

#include <stdbool.h>

struct frame;
struct line;
struct replay_news;
struct subscriber;

void replay_message_on_line(struct replay_news *r, const struct line *line);
bool replay_message_is_news(const struct subscriber *u);
struct frame *replay_message_next(struct subscriber *u); /* NULL: no memory */

#endif
