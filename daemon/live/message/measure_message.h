/* measure_message.h - the message "measure": the newest results, for clients that want them. Loop
 * thread. */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_MEASURE_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_MEASURE_MESSAGE_H

struct frame;
struct live;
struct measure_news;
struct subscriber;

enum { MEASURE_MESSAGES_PER_S = 10 };

void measure_message_push(struct live *l);                /* if there is news and it is time */
struct frame *measure_message_next(struct subscriber *u); /* held */
void measure_message_finish(struct measure_news *news);

#endif
