/* viewer_request.h - passes calls of viewers on to sensors, and their answers back. Loop thread.
 */
#ifndef FFTD_DAEMON_HUB_SERVE_VIEWER_REQUEST_H
#define FFTD_DAEMON_HUB_SERVE_VIEWER_REQUEST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct client;
struct hub_answer;
struct hub_service;
struct radio;
struct reason;
struct wish;

/* 0, or -1: the connection must be closed. */
int viewer_request(struct client *c, const struct wish *w);
/* id: of the call. The key of why may be "". */
int viewer_request_refuse(struct client *c, const json_t *id, unsigned status,
                          const struct reason *why);
void viewer_request_take_answers(struct hub_service *h); /* to requests that are decided */

/* ---- of calls over HTTP, too ------------------------------------------------------------ */

/* NULL, or why the radio gets no request. */
const char *hub_request_check(const struct hub_service *h, const struct radio *radio, uint32_t id,
                              struct reason *why);
struct hub_sending {
    void *viewer; /* a struct client, or a struct remote_call */
    const struct radio *radio;
    const json_t *id; /* of a viewer's call; NULL: over HTTP */
    bool is_read;
    uint8_t *data; /* HUB_REQUEST_HEAD bytes of room, then the message [size]; NULL: no memory */
    size_t size;
};
/* Why there is no reply, and the status that says so. radio: SITE.RADIO. */
unsigned hub_request_fault(const struct hub_service *h, const struct hub_answer *answer,
                           const char *radio, bool is_read, struct reason *why);
/* NULL, or why it is not on its way. */
const char *hub_request_send(struct hub_service *h, const struct hub_sending *what,
                             struct reason *why);

#endif
