/* client_message.h - does what the messages of a radio's websockets ask for, and queues the
 * answers. Loop thread. */
#ifndef FFTD_DAEMON_LIVE_SERVICE_CLIENT_MESSAGE_H
#define FFTD_DAEMON_LIVE_SERVICE_CLIENT_MESSAGE_H

#include <stddef.h>

struct subscriber;

/* A whole message. 0, or -1: the connection must be closed. */
int client_message(struct subscriber *u, const char *text, size_t size);

#endif
