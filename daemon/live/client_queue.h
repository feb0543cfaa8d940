/* client_queue.h - answers that wait for one websocket. Loop thread. */
#ifndef FFTD_DAEMON_LIVE_CLIENT_QUEUE_H
#define FFTD_DAEMON_LIVE_CLIENT_QUEUE_H

#include <jansson.h>

struct client;

/* Both return 0, or -1 if the connection must be closed: too many answers wait. */
int client_queue_message(struct client *c, json_t *message); /* takes over the reference */
int client_queue_error(struct client *c, const char *error);

#endif
