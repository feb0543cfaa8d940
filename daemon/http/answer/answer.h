/*
 * answer.h - HTTP requests and answers, independent of libwebsockets. Loop thread.
 */
#ifndef FFTD_DAEMON_HTTP_ANSWER_ANSWER_H
#define FFTD_DAEMON_HTTP_ANSWER_ANSWER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "daemon/http/answer/body.h"
#include "daemon/http/query.h"
#include "daemon/status/metric_writer.h"
#include "daemon/wire/frame.h"

struct answer_work;
struct file_body;
struct peer;
struct remote_call;
struct server;
struct spectrum;

struct request {
    const char *path; /* decoded */
    char host[256];   /* "" if absent */
    char accept[1024], etag[80];
    struct query query;
    struct peer *own, *visitor; /* the socket's address, and the one that a proxy names */
    bool gzip;                  /* is accepted */
    bool head;
    bool close; /* do not keep the connection */
};

struct answer {
    unsigned status;
    const char *type;
    const char *vary;     /* the headers of the request that selected the body; NULL: none */
    const char *encoding; /* "gzip"; NULL: none */
    const char *allow;    /* methods that the path has, with 405; NULL: none is named */
    char location[512];   /* "": none */
    char etag[40];
    bool page;                 /* a file of the page: has an etag and a content security policy */
    bool fixed;                /* such a file under a name that never has other content */
    struct body *body;         /* held; NULL: empty */
    struct file_body *file;    /* in place of a body; NULL: none */
    const char *download;      /* the name under which browsers save it; NULL: none */
    struct spectrum *spectrum; /* the answer comes when this is done; NULL: it is complete */
    struct answer_work *work;  /* the same */
    struct remote_call *call;  /* the same */
};

/* A text formatted as by printf. Overwrites *a. */
void answer_text(struct answer *a, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A problem as JSON (RFC 9457): the sentence, and the key that is wrong; "": none. */
void answer_fault(struct answer *a, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void answer_fault_key(struct answer *a, unsigned status, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Such a problem for the paths of the API, one line of text for others. */
void answer_refuse(struct answer *a, const char *path, unsigned status, const char *why);
bool answer_has_path(struct server *s, const char *path); /* some method of it has an answer */
void answer_request(struct server *s, const struct request *r, struct answer *a);
void answer_free(struct answer *a);
/* The status line and the headers; NULL: no memory. close: do not keep the connection. */
struct frame *answer_head(const struct answer *a, bool close, const char *host);

/* Takes over the reference; NULL: no memory. flags: of json_dumps, such as the digits of numbers.
 */
void answer_json(struct server *s, json_t *json, size_t flags, struct answer *a);
/* A file. Takes over the bytes, which are allocated; NULL: no memory. */
void answer_bytes(struct server *s, char *bytes, size_t size, struct answer *a);
/* /metrics: the format that the client prefers, and a text of it, which is taken over (NULL: 500).
 */
enum metrics_format answer_metrics_format(const struct request *r);
void answer_metrics_text(struct server *s, char *text, size_t size, enum metrics_format format,
                         struct answer *a);
/* events.c */
void answer_events(struct server *s, const struct request *r, struct answer *a);
/* recording_file.c */
void answer_recording_file(struct server *s, const struct request *r, struct answer *a);
/* spectrum.c: /api/v1/spectrum */
void answer_spectrum(struct server *s, const struct request *r, struct answer *a);

#endif
