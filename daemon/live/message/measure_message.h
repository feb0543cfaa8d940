/* measure_message.h - the message "measure": the newest results, for clients that want them. Loop
 * thread. */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_MEASURE_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_MEASURE_MESSAGE_H

struct ws_message;
struct live;
struct measure_topic;
struct subscriber;

enum { MEASURE_MESSAGES_PER_S = 10 };

void measure_message_push(struct live *l); /* if something changed and it is time */
struct ws_message *measure_message_next(struct subscriber *u); /* a reference */
void measure_message_finish(struct measure_topic *topic);

#endif
