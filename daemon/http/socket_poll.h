/*
 * socket_poll.h - keeps libwebsockets away from the socket of a request while its answer is made
 * and sent. Loop thread.
 *
 * Bytes may follow the request: another request, or a close. While an answer is under way,
 * libwebsockets 4.3.5 closes the connection when it sees them ("Unhandled state"), and 4.1.6 calls
 * back for them again and again, which takes a whole processor. Both do so even if they may not
 * read (lws_rx_flow_control), because then they leave the socket's event of writing pending.
 */
#ifndef FFTD_DAEMON_HTTP_SOCKET_POLL_H
#define FFTD_DAEMON_HTTP_SOCKET_POLL_H

#include <libwebsockets.h>
#include <uv.h>

/*
 * The handle by which libwebsockets waits for the socket. It is stopped, so the bytes that come
 * stay in the kernel. NULL: there is none. The handle's data is wsi.
 */
uv_poll_t *socket_poll_take(uv_loop_t *loop, struct lws *wsi);
/* libwebsockets goes on, with what it has read already. */
void socket_poll_return(uv_poll_t *poll, struct lws *wsi);

#endif
