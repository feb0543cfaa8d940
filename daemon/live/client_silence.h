/* client_silence.h - pings silent clients, and closes clients that stay silent. Loop thread.
 */
#ifndef FFTD_DAEMON_LIVE_CLIENT_SILENCE_H
#define FFTD_DAEMON_LIVE_CLIENT_SILENCE_H

struct client;
struct clients;

void client_silence_ends(struct client *c);     /* it has sent something */
void client_silence_check(struct clients *all); /* once a second */

#endif
