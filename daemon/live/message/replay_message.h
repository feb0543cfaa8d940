/*
 * replay_message.h - the message "replay": the anchors of a recording that a client does not have
 * yet; it goes before the frames that they are for. Loop thread.
 */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_REPLAY_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_REPLAY_MESSAGE_H

#include <stdbool.h>

struct ws_message;
struct line;
struct replay_topic;
struct subscriber;

void replay_message_on_line(struct replay_topic *r, const struct line *line);
bool replay_message_is_pending(const struct subscriber *u);
struct ws_message *replay_message_next(struct subscriber *u); /* NULL: no memory */

#endif
