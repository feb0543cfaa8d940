/* recording_message.h - recordings for clients: new and changed ones. Loop thread. */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_RECORDING_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_RECORDING_MESSAGE_H

struct ws_message;
struct live;
struct recording_topic;
struct subscriber;

void recording_message_push(struct live *l); /* if something changed and it is time */
struct ws_message *recording_message_next(struct subscriber *u); /* a reference; NULL: no memory */
void recording_message_finish(struct recording_topic *topic);

#endif
