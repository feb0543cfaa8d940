/*
 * state_message.h - the message "state": a resource that a client has subscribed to, as it is now.
 * Every topic of a resource comes so. Loop thread.
 */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_STATE_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_STATE_MESSAGE_H

#include <stdbool.h>

struct ws_message;
struct subscriber;

/* index: of the resource, from 0 (api/topics.h). Its state comes at once. */
void state_message_subscribe(struct subscriber *u, unsigned index, bool on, double rate_hz);
bool state_message_is_pending(const struct subscriber *u);
struct ws_message *state_message_next(struct subscriber *u);

#endif
