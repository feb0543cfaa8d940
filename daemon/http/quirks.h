/*
 * quirks.h - what repairs libwebsockets: each repair with the version that needs it, and the test
 * that shows it. The rest of http/ and live/ trusts the library. Loop thread.
 */
#ifndef FFTD_DAEMON_HTTP_QUIRKS_H
#define FFTD_DAEMON_HTTP_QUIRKS_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

/*
 * The handle by which libwebsockets waits for the socket, while the answer to its request is made
 * and sent. It is stopped, so the bytes that come stay in the kernel. NULL: none. The
 * handle's data is wsi.
 *
 * 4.3.5 closes the connection when it sees bytes behind such a request ("Unhandled state"). 4.1.6
 * calls back for them again and again, which takes a whole processor. Both do so even if they may
 * not read (lws_rx_flow_control), because then they leave the socket's event of writing pending.
 * pipelined.test.mjs: "requests behind an answer that nobody reads take no processor time...", "a
 * client that closes its side after the request, or sends on, gets its answer"; hub/calls.test.mjs:
 * "requests behind a call that waits cost no processor time...". On 4.1.6 the last one fails
 * without lws_rx_flow_control, and all pass without the stop alone.
 */
uv_poll_t *quirks_hold_socket(uv_loop_t *loop, struct lws *wsi);
/* libwebsockets continues with the bytes that it has read already. */
void quirks_release_socket(uv_poll_t *poll, struct lws *wsi);

/*
 * After the last byte of an answer. changes: to a request that had, or may have had, a body. False:
 * the connection closes.
 *
 * 4.1.6 spins if the transaction is completed after a body that was buffered behind another
 * request. It does no harm if the connection closes instead, with all that it holds.
 * pipelined.test.mjs: "a refused body after another request ends the connection, not the daemon".
 */
bool quirks_complete(struct lws *wsi, bool changes);

/*
 * True if these first bytes belong to the request itself, not to a body.
 *
 * 4.1.6 and 4.3.5 keep a request that came before the answer to the one before it, and then hand
 * over the beginning of what they kept, in place of the body. No JSON value begins like a request.
 * pipelined.test.mjs: "a change of measurements ends the connection, with a body of JSON or
 * without".
 */
bool quirks_is_request_again(const char *verb, const char *bytes, size_t size);
/*
 * How many of the bytes that came are of a body that lacks `missing`.
 *
 * 4.3.5 hands over the next request with the body, and then does not report that the body is
 * complete. pipelined.test.mjs: "a change of measurements ends...", with a request behind the body.
 */
size_t quirks_body_bytes(size_t missing, size_t size);
/*
 * True if a callback about a body means nothing: the answer is under way to a change whose body had
 * no byte.
 *
 * 4.1.6 and 4.3.5 report the empty body of a POST with Content-Length: 0 after the
 * request was handled. hub/calls.test.mjs: "a change without a body is made once...".
 */
bool quirks_is_late_body(bool under_way, bool changes);

/*
 * Copies parameter i of the query, decoded. False: there are no more.
 *
 * 4.1.6 makes "/" of an empty last one. requests.test.mjs: "each request gets one answer, with its
 * status"; http.test.mjs: "paths without parameters refuse them, files of the page ignore them".
 */
bool quirks_parameter(struct lws *wsi, int i, char *pair, size_t size);

/*
 * True if an upgrade is an offer of HTTP/2, which is declined.
 *
 * Some programs offer HTTP/2 with each request. 4.1.6 refuses the request, but answers as HTTP/1.1
 * if the protocol has no name. websocket.test.mjs: "an upgrade to HTTP/2 is ignored...".
 */
bool quirks_declines_http2(char *upgrade);

/*
 * Checks the close frame of a client (RFC 6455, 5.5.1 and 7.4). -1: its fault is sent, instead.
 *
 * 4.1.6 checks codes below 5000, and repeats other faults to the client. frames.test.mjs: "a close
 * frame with a malformed body is not repeated".
 */
int quirks_check_close(struct lws *wsi, const unsigned char *body, size_t size);

/*
 * Pings a client. False: the connection has failed. The policy has no pings and no end of silence.
 *
 * 4.1.6 has a timer for each connection in one sorted list, and walks over it whenever one is
 * heard: with 10,000 of them that took most of the loop's time. The ping has a byte, because 4.1.6
 * does not call back for a pong without one. websocket.test.mjs: "a client that does not answer
 * pings is dropped, another stays".
 */
bool quirks_ping(struct lws *wsi);
extern const lws_retry_bo_t quirks_no_keepalive;

/*
 * Closes a connection from outside of its callbacks, soon.
 *
 * Only libwebsockets may close it. 4.1.6 takes a new timer into account after an event of its own
 * alone: it gets one. Otherwise the connection may stay for 30 s. websocket.test.mjs: "the only
 * client is dropped soon...", hub/requests.test.mjs: "a viewer that reads no answers is closed...".
 */
void quirks_close_soon(struct lws_context *context, struct lws *wsi);

/*
 * Of a context: connections that it must find by their descriptors.
 *
 * 4.1.6 finds one in a table of all descriptors that the process may have, or, given a number of
 * connections, by a search. 0: the table, where it is not too large. No test: it costs time alone.
 */
unsigned quirks_descriptors(unsigned connections);

#endif
