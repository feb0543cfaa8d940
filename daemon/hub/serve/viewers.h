/*
 * viewers.h - the websockets of a hub: the list of radios, and the frames of the radios that each
 * wants. Loop thread.
 */
#ifndef FFTD_DAEMON_HUB_SERVE_VIEWERS_H
#define FFTD_DAEMON_HUB_SERVE_VIEWERS_H

struct client_role;
struct hub_service;

extern const struct client_role viewers_role; /* its user: the hub */

/* Gives a turn to the viewers of the radios that have new frames. */
void viewers_mark_pending(struct hub_service *h);

#endif
