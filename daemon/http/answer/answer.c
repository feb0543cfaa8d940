/* answer.c - makes answers, and their headers. */
#include "daemon/http/answer/answer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/http/accept.h"
#include "daemon/http/answer/body_stream.h"
#include "daemon/http/http_server.h"

static const char text_type[] = "text/plain; charset=utf-8";

static const char *reason(unsigned status)
{
    static const struct {
        unsigned status;
        const char *text;
    } reasons[] = {
        {200, "OK"},
        {201, "Created"},
        {202, "Accepted"},
        {304, "Not Modified"},
        {308, "Permanent Redirect"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {409, "Conflict"},
        {411, "Length Required"},
        {413, "Content Too Large"},
        {415, "Unsupported Media Type"},
        {416, "Range Not Satisfiable"},
        {426, "Upgrade Required"},
        {500, "Internal Server Error"},
        {501, "Not Implemented"},
        {502, "Bad Gateway"},
        {503, "Service Unavailable"},
        {504, "Gateway Timeout"},
        {505, "HTTP Version Not Supported"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (reasons[i].status == status)
            return reasons[i].text;
    }
    return "Error";
}

void answer_text(struct answer *a, unsigned status, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    const int size = vasprintf(&text, format, args);
    va_end(args);
    *a = (struct answer){.status = status, .type = text_type};
    if (size >= 0)
        a->body = body_create(text, text, (size_t)size, NULL);
}

static void make_fault(struct answer *a, unsigned status, const char *key, const char *sentence)
{
    json_t *problem = json_pack("{ss si so}", "title", reason(status), "status", (int)status,
                                "error", text_to_json(sentence));
    if (key[0])
        json_object_set_new(problem, "key", text_to_json(key));
    char *text = json_text(problem, JSON_INDENT(1));
    json_decref(problem);
    *a = (struct answer){.status = status, .type = "application/problem+json"};
    if (text)
        a->body = body_create(text, text, strlen(text), NULL);
}

void answer_fault(struct answer *a, unsigned status, const char *format, ...)
{
    char sentence[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    make_fault(a, status, "", sentence);
}

void answer_reason(struct answer *a, unsigned status, const struct reason *why)
{
    make_fault(a, status, why->key, why->sentence);
}

void answer_refuse(struct answer *a, const char *path, unsigned status, const char *key,
                   const char *why)
{
    if (strncmp(path, "/api/", 5) == 0)
        make_fault(a, status, key, why);
    else
        answer_text(a, status, "%s\n", why);
}

void answer_json(struct http_server *s, json_t *json, struct answer *a)
{
    char *text = json_text(json, JSON_INDENT(1) | JSON_ENCODE_ANY);
    json_decref(json);
    if (!text) {
        answer_fault(a, 500, "no memory");
        return;
    }
    *a = (struct answer){.status = 200,
                         .type = "application/json",
                         .body = body_create(text, text, strlen(text), &s->body_bytes)};
}

void answer_bytes(struct http_server *s, char *bytes, size_t size, struct answer *a)
{
    const bool allowed = body_fits(s, size);
    if (bytes && allowed) {
        *a = (struct answer){.status = 200,
                             .type = "application/octet-stream",
                             .body = body_create(bytes, bytes, size, &s->body_bytes)};
        return;
    }
    free(bytes);
    if (allowed)
        answer_fault(a, 500, "no memory");
    else
        answer_fault(a, 503, "%s", body_does_not_fit);
}

enum metrics_format answer_metrics_format(const struct request *r)
{
    return accept_prefers(r->accept, "application/openmetrics-text", "text/plain")
               ? METRICS_OPENMETRICS
               : METRICS_TEXT;
}

void answer_metrics_text(struct http_server *s, char *text, size_t size, enum metrics_format format,
                         struct answer *a)
{
    if (text)
        *a = (struct answer){.status = 200,
                             .type = metrics_type(format),
                             .vary = "Accept",
                             .body = body_create(text, text, size, &s->body_bytes)};
    else
        answer_fault(a, 500, "no memory");
}

void answer_free(struct answer *a)
{
    body_unref(a->body);
    if (a->stream)
        a->stream->close(a->stream);
    *a = (struct answer){0};
}

/* ---- the websocket -----------------------------------------------------------------------------
 */

void answer_websocket(void *none, const struct request *r, struct answer *a)
{
    (void)none;
    (void)r;
    answer_text(a, 426, "this is a websocket, subprotocol fftd.3\n");
}

/* ---- as bytes --------------------------------------------------------------------------- */

/*
 * The page may load files from this server only, and connect to it only. In older browsers 'self'
 * does not include websockets, so the policy names the host, which guard_host has checked.
 */
static void write_policy(FILE *f, const char *host)
{
    fputs("Content-Security-Policy: default-src 'self'; img-src 'self' data: blob:; "
          "connect-src 'self'",
          f);
    if (host[0])
        fprintf(f, " ws://%s wss://%s", host, host);
    fputs("; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n",
          f);
}

static void write_date(FILE *f)
{
    const time_t now = time(NULL);
    struct tm utc;
    char text[40];
    gmtime_r(&now, &utc);
    if (strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &utc))
        fprintf(f, "Date: %s\r\n", text);
}

static void write_length(FILE *f, const struct answer *a)
{
    const uint64_t size = a->stream ? a->stream->size : a->body ? a->body->size : 0;
    if (size != BODY_ENDLESS)
        fprintf(f, "Content-Length: %llu\r\n", (unsigned long long)size);
}

static void write_head(FILE *f, const struct answer *a, bool close, const char *host)
{
    fprintf(f, "HTTP/1.1 %u %s\r\n", a->status, reason(a->status));
    write_date(f);
    if (a->status != 304) {
        fprintf(f, "Content-Type: %s\r\n", a->type);
        write_length(f, a);
    }
    fputs(a->about, f);
    if (a->download)
        fprintf(f, "Content-Disposition: attachment; filename=\"%s\"\r\n", a->download);
    if (a->encoding && a->status != 304)
        fprintf(f, "Content-Encoding: %s\r\n", a->encoding);
    if (a->etag[0])
        fprintf(f, "ETag: %s\r\n", a->etag);
    fprintf(f, "Cache-Control: %s\r\n",
            a->fixed  ? "max-age=31536000, immutable"
            : a->page ? "no-cache"
                      : "no-store");
    if (a->vary)
        fprintf(f, "Vary: %s\r\n", a->vary);
    if (a->page)
        write_policy(f, host);
    if (a->location[0])
        fprintf(f, "Location: %s\r\n", a->location);
    if (a->allow)
        fprintf(f, "Allow: %s\r\n", a->allow);
    if (a->status == 401)
        fputs("WWW-Authenticate: Bearer\r\n", f);
    if (a->status == 426)
        fputs("Upgrade: websocket\r\n", f);
    if (a->status == 503)
        fputs("Retry-After: 5\r\n", f);
    fprintf(f,
            "Connection: %s\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
            "Cross-Origin-Opener-Policy: same-origin\r\n"
            "Cross-Origin-Resource-Policy: same-origin\r\n\r\n",
            close ? "close" : "keep-alive");
}

struct ws_message *answer_head(const struct answer *a, bool close, const char *host)
{
    char *head = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&head, &size);
    if (!f)
        return NULL;
    write_head(f, a, close, host);
    if (fclose(f) != 0) {
        free(head);
        return NULL;
    }
    struct ws_message *frame = ws_message_create(size);
    if (frame)
        memcpy(frame->data, head, size);
    free(head);
    return frame;
}

int answer_now(struct lws *wsi, struct answer *a, bool head_only)
{
    struct ws_message *head = answer_head(a, true, "");
    const size_t body = a->body && !head_only ? a->body->size : 0;
    struct ws_message *frame = head ? ws_message_create(head->size + body) : NULL;
    if (frame) {
        memcpy(frame->data, head->data, head->size);
        if (body > 0)
            memcpy(frame->data + head->size, a->body->data, body);
        lws_write(wsi, frame->data, frame->size, LWS_WRITE_HTTP_FINAL);
    }
    ws_message_unref(head);
    ws_message_unref(frame);
    answer_free(a);
    return -1;
}
