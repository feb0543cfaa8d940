/* link_connect.h - natsConnection_Connect that ends. */
#ifndef FFTD_DAEMON_HUB_LINK_CONNECT_H
#define FFTD_DAEMON_HUB_LINK_CONNECT_H

#include <nats/nats.h>

enum { LINK_ANSWER_MS = 2500 }; /* more than LINK_CONNECT_MS, which libnats has for the rest */

/*
 * Connects to the broker of the URL that the options have. Waits for at most some LINK_ANSWER_MS.
 * Any thread. The caller destroys *out.
 *
 * libnats before 3.8 has a limit for the connection and none for the answer to its CONNECT: if the
 * network goes in between, it asks the socket again without a pause, for ever, and its memory
 * grows. It has no call that ends this, but it ends when the socket does.
 */
natsStatus link_connect(natsConnection **out, natsOptions *options, const char *url);

#endif
