/*
 * answer.h - HTTP answers: what makes them, their heads and bodies. Loop thread.
 */
#ifndef FFTD_DAEMON_HTTP_ANSWER_ANSWER_H
#define FFTD_DAEMON_HTTP_ANSWER_ANSWER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "daemon/figure/metric_writer.h"
#include "daemon/http/answer/body.h"
#include "daemon/http/request.h"
#include "daemon/wire/ws_message.h"

struct body_stream;
struct http_server;
struct pending_answer;
struct reason;

/* What makes an answer that comes later: a member of it. */
struct answer_source {
    /* `out` wants the answer: pending_come, now or later. */
    void (*wait)(struct answer_source *of, struct pending_answer *out);
    /* `out` has ended, and no longer needs it. */
    void (*leave)(struct answer_source *of, struct pending_answer *out);
};

struct answer {
    unsigned status;
    const char *type;
    const char *vary;     /* the headers of the request that selected the body; NULL: none */
    const char *encoding; /* "gzip"; NULL: none */
    const char *allow;    /* methods that the path has, with 405; NULL: none is named */
    char location[512];   /* "": none */
    char about[256];      /* more headers, each with its line's end; "": none */
    char etag[40];
    bool page;                  /* a file of the page: has an etag and a content security policy */
    bool fixed;                 /* such a file under a name that never has other content */
    struct body *body;          /* a reference; NULL: empty */
    struct body_stream *stream; /* in place of a body; NULL: none */
    const char *download;       /* the name under which browsers save it; NULL: none */
    struct answer_source *source; /* that the answer comes from later; NULL: it is complete */
};

/* A text formatted as by printf. Overwrites *a. */
void answer_text(struct answer *a, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A problem as JSON (RFC 9457): a sentence without a key, or a reason with its key. */
void answer_fault(struct answer *a, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void answer_reason(struct answer *a, unsigned status, const struct reason *why);
/* Such a problem for the paths of the API, one line of text for others. key: "" is none. */
void answer_refuse(struct answer *a, const char *path, unsigned status, const char *key,
                   const char *why);
void answer_free(struct answer *a);
/* The status line and the headers; NULL: no memory. close: do not keep the connection. */
struct ws_message *answer_head(const struct answer *a, bool close, const char *host);
/*
 * Sends a short answer at once, frees it, and returns -1, which closes the connection: it may have
 * a body behind it (quirks_complete).
 */
int answer_now(struct lws *wsi, struct answer *a, bool head_only);

/* Takes over the reference; NULL: no memory. */
void answer_json(struct http_server *s, json_t *json, struct answer *a);
/* A file. Takes over the bytes, which are allocated; NULL: no memory. */
void answer_bytes(struct http_server *s, char *bytes, size_t size, struct answer *a);
/* /metrics: the format that the client prefers, and a text of it, which is taken over (NULL: 500).
 */
enum metrics_format answer_metrics_format(const struct request *r);
void answer_metrics_text(struct http_server *s, char *text, size_t size, enum metrics_format format,
                         struct answer *a);
/* GET of the path of websockets, without an upgrade. */
void answer_websocket(void *none, const struct request *r, struct answer *a);

#endif
