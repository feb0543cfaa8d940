/* status_message.h - the status for clients: all of it, or what changed since the one before. Loop
 * thread. */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_STATUS_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_STATUS_MESSAGE_H

struct frame;
struct live;
struct status_news;
struct subscriber;

void status_message_push(struct live *l);                /* to every client */
struct frame *status_message_next(struct subscriber *u); /* held; NULL: no memory */
void status_message_finish(struct status_news *news);

#endif
