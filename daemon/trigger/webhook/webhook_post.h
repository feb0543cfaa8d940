/* webhook_post.h - one POST request by libwebsockets. The thread of the webhooks. */
#ifndef FFTD_DAEMON_TRIGGER_WEBHOOK_WEBHOOK_POST_H
#define FFTD_DAEMON_TRIGGER_WEBHOOK_WEBHOOK_POST_H

#include <libwebsockets.h>

#include "daemon/trigger/webhook/http_url.h"

enum { WEBHOOK_REASON = 120 };

struct webhook_post {
    struct http_url url;
    const char *body;
    struct lws *wsi; /* NULL: it has ended */
    unsigned status; /* of the answer; 0: none */
    bool late;       /* webhook_post_abort ended it */
    char reason[WEBHOOK_REASON];
};

struct lws_context *webhook_post_context(void); /* NULL: libwebsockets does not start */
/* Begins; the fields url and body are set, and stay until wsi is NULL again. */
void webhook_post_start(struct webhook_post *p, struct lws_context *context);
void webhook_post_abort(struct webhook_post *p); /* it ends soon */

#endif
