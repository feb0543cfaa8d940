/* event_message.h - the message "event": events of triggers, for clients that want them. Loop
 * thread. */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_EVENT_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_EVENT_MESSAGE_H

#include <stdbool.h>

struct ws_message;
struct subscriber;

void event_message_begin(struct subscriber *u); /* from now on */
bool event_message_is_pending(const struct subscriber *u);
struct ws_message *event_message_next(struct subscriber *u); /* NULL: no memory */

#endif
