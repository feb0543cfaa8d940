/* status_message.h - the status for clients: all of it, or what changed since the one before. Loop
 * thread. */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_STATUS_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_STATUS_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct frame;
struct live;
struct subscriber;

/* The newest one. */
struct status_news {
    uint64_t number;       /* counts them, from 1 */
    json_t *json;          /* NULL before the first */
    struct frame *all;     /* NULL before the first */
    struct frame *changes; /* since the one before; NULL: not known */
};

void status_message_push(struct live *l); /* to every client */
bool status_message_is_news(const struct subscriber *u);
struct frame *status_message_next(struct subscriber *u); /* held */
void status_message_finish(struct status_news *news);

#endif
