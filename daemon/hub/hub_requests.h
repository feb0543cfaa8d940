/*
 * hub_requests.h - calls of a hub's viewers, and over HTTP, to sensors that have no answer yet.
 * Loop thread.
 *
 * A viewer has a few at a time. What comes of a request is its answer, or a sentence that says why
 * there is none.
 *
 * Two inboxes lead to the thread of the link and back. A message to it has the subject of the
 * request, and data that begin with the number of the request. A message from it has the subject
 *
 *     "17"            data: the answer to request 17; none: nobody takes requests there
 *     of a request    the broker does not let this hub publish there
 *     "_INBOX..."     the broker does not let this hub read answers
 */
#ifndef FFTD_DAEMON_HUB_HUB_REQUESTS_H
#define FFTD_DAEMON_HUB_HUB_REQUESTS_H

#include <jansson.h>
#include <stdbool.h>

#include "daemon/nats/call_message.h"
#include "daemon/nats/message.h"

struct reason;

enum {
    HUB_REQUESTS = 64,     /* in all */
    HUB_REQUESTS_EACH = 4, /* of one viewer */
    HUB_REQUEST_MS = 5000, /* for the answer */
    HUB_SUBJECT = 256,
};

struct hub_request {
    uint64_t number; /* 0: free */
    void *viewer;    /* NULL: it has left */
    json_t *id;      /* of a viewer's call, owned; NULL: over HTTP */
    bool is_read;    /* of a viewer's: it changes nothing */
    uint32_t radio;
    uint64_t deadline_ns; /* clock_now_ns() at which it is given up */
    uint64_t links;       /* of the connection that it went out on */
    char subject[HUB_SUBJECT];
};

extern const char hub_no_answers[];     /* why, where the broker gives no right to read them */
extern const char hub_nobody_answers[]; /* why, where no sensor takes them */

/* What came of requests. */
enum hub_outcome { HUB_DONE, HUB_REFUSED, HUB_UNANSWERED, HUB_OUTCOMES };
const char *hub_outcome_name(enum hub_outcome outcome);

/* Zeroed: empty. */
struct hub_requests {
    struct hub_request all[HUB_REQUESTS];
    uint64_t last; /* number */
    uint64_t outcomes[HUB_OUTCOMES];
};

/*
 * A new one; the caller sets what depends on the connection, and the id. NULL with a reason: the
 * viewer or the hub has too many.
 */
struct hub_request *hub_requests_add(struct hub_requests *r, void *viewer, uint32_t radio,
                                     uint64_t now_ns, struct reason *why);
void hub_requests_forget(struct hub_requests *r, const void *viewer); /* it leaves */

/* An answer, from outside. */
struct hub_answer {
    enum hub_outcome outcome;
    bool wrong_token;
    bool is_gone;           /* nobody takes requests of the radio */
    const char *failure;    /* why there is no reply; NULL: there is one */
    struct call_reply call; /* status 0: there is none */
};
/* What is no reply becomes a failure that says so. */
void hub_answer_read(struct hub_answer *out, const void *data, size_t size);
/* Why there is no reply, with its status: 502, 503 or 504. radio: SITE.RADIO. */
unsigned hub_answer_fault(const struct hub_answer *a, const char *radio, bool is_read,
                          struct reason *why);

/*
 * Calls `done` for each request that a message of the link decides, and frees it.
 * `done` takes over the body of the reply.
 */
typedef void hub_request_done(void *user, const struct hub_request *request,
                              const struct hub_answer *answer);
void hub_requests_take(struct hub_requests *r, const char *subject, const void *data, size_t size,
                       hub_request_done *done, void *user);
/*
 * The same for abandoned requests: it is too late, or their connection has been replaced. links: of
 * the connection that is up; 0: none.
 */
void hub_requests_expire(struct hub_requests *r, uint64_t now_ns, uint64_t links,
                         hub_request_done *done, void *user);

#endif
