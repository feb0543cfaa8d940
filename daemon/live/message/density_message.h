/*
 * density_message.h - densities for clients that want them: frames. Loop thread.
 *
 * Subscribers get a frame at most ten times a second, with the hits of all lines since the one
 * before. A client that has not taken a frame by then misses it; `frames before` in the next one
 * counts the missed frames.
 */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_DENSITY_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_DENSITY_MESSAGE_H

#include <stdbool.h>

struct density_topic;
struct ws_message;
struct line;
struct live;
struct subscriber;

enum { DENSITY_FRAMES_PER_S = 10 };

void density_message_on_line(struct live *l, const struct line *line);
void density_message_subscribe(struct subscriber *u, bool want); /* idempotent */
struct ws_message *density_message_next(struct subscriber *u);
void density_message_finish(struct density_topic *topic);

#endif
