/* marker_message.h - the message "markers", which precedes each frame of a client that asked for
 * it: readings on the line of that frame. Loop thread. */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_MARKER_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_MARKER_MESSAGE_H

#include <stdbool.h>

struct ws_message;
struct marker_rules;
struct readout_choice;
struct subscriber;

enum { MARKER_PEAK_TABLES_PER_S = 4 };

/* NULL: no more. -ENOMEM */
int marker_message_choose(struct subscriber *u, const struct readout_choice *choice);
void marker_message_drop(struct subscriber *u);
bool marker_message_is_pending(const struct subscriber *u);
struct ws_message *marker_message_next(struct subscriber *u); /* NULL: no memory */
void marker_message_finish(struct marker_rules *rules);

#endif
