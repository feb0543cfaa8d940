/* status_message.h - the status for clients: all of it, or what changed since the one before. Loop
 * thread. */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_STATUS_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_STATUS_MESSAGE_H

struct ws_message;
struct live;
struct status_topic;
struct subscriber;

void status_message_push(struct live *l);                     /* to every client */
struct ws_message *status_message_next(struct subscriber *u); /* a reference; NULL: no memory */
void status_message_finish(struct status_topic *topic);

#endif
