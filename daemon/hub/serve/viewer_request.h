/* viewer_request.h - passes calls of viewers on to sensors, and their answers back. Loop thread.
 */
#ifndef FFTD_DAEMON_HUB_SERVE_VIEWER_REQUEST_H
#define FFTD_DAEMON_HUB_SERVE_VIEWER_REQUEST_H

#include <jansson.h>

struct client;
struct hub_answer;
struct hub_request;
struct reason;
struct viewer_message;

/* 0, or -1: the connection must be closed. */
int viewer_request(struct client *c, const struct viewer_message *w);
/* id: of the call. The key of why may be "". */
int viewer_request_refuse(struct client *c, const json_t *id, unsigned status,
                          const struct reason *why);
/* What came of a call. */
void viewer_request_done(const struct hub_request *request, const struct hub_answer *answer);

#endif
