/*
 * webhook.h - sends events as HTTP POST requests to other programs, on a thread of its own.
 *
 * A queue of at most WEBHOOKS_MAX requests; without room the oldest one that waits is dropped. A
 * request that gets no answer in time, or another one than 2xx, is repeated after 1, 2, 4, 8 and
 * 16 s, and then dropped; one that is refused with 4xx, but for 408 and 429, at once. Requests to
 * one URL are sent one after the other, in their order. No caller waits.
 */
#ifndef FFTD_DAEMON_TRIGGER_WEBHOOK_WEBHOOK_H
#define FFTD_DAEMON_TRIGGER_WEBHOOK_WEBHOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/trigger/webhook/webhook_state.h"

enum { WEBHOOKS_MAX = 256, WEBHOOK_TRIES = 6 };

struct webhooks;

struct webhook {
    const char *url;  /* http_url_parse accepts it */
    const char *name; /* of the trigger, for messages */
    uint64_t event;   /* a request that waits, to the same URL with the same one, is replaced */
    double timeout_s; /* for an answer */
    const char *body; /* JSON */
};

/* done: the queue is empty now; on the thread. It starts with the first request. -ENOMEM */
int webhooks_create(struct webhooks **out, void (*done)(void *user), void *user);
void webhooks_push(struct webhooks *w, const struct webhook *hook); /* any thread; copies */
bool webhooks_idle(struct webhooks *w); /* the queue is empty; NULL is fine */
/*
 * Sends the requests that wait, each once, for at most patience_ms, and joins the thread. The rest
 * is dropped and logged. NULL is fine, as for the next one.
 */
void webhooks_stop(struct webhooks *w, int patience_ms);
void webhooks_destroy(struct webhooks *w);

void webhooks_state(struct webhooks *w, struct webhooks_state *out); /* any thread */

#endif
