/*
 * client_send.h - sends clients what is pending, each in its turn (client.h). Loop thread.
 */
#ifndef FFTD_DAEMON_LIVE_CLIENT_SEND_H
#define FFTD_DAEMON_LIVE_CLIENT_SEND_H

struct client;
struct clients;
struct ws_message;

/* Gives a client its turn soon, from the loop itself: no client is removed meanwhile. */
void client_send_soon(struct client *c);
void client_send_all_soon(struct clients *all);
void client_send_request(struct client *c); /* requests a write callback if anything is pending */
int client_send_on_writable(struct client *c); /* the write callback; -1: close the connection */
void client_send_forget(struct client *c);     /* it is being removed */
void client_send_fail(struct client *c);       /* sends nothing more: it is closed soon */

#endif
