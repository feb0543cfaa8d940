/* recording_message.h - recordings for clients: those that are new or have changed. Loop thread. */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_RECORDING_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_RECORDING_MESSAGE_H

struct frame;
struct live;
struct recording_news;
struct subscriber;

void recording_message_push(struct live *l);                /* if there is news and it is time */
struct frame *recording_message_next(struct subscriber *u); /* held; NULL: no memory */
void recording_message_finish(struct recording_news *news);

#endif
