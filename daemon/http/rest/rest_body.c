/* rest_body.c - checks requests that change something, and reads their bodies. */
#include "daemon/http/rest/rest_body.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemon/api/carry.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/answer/pending.h"
#include "daemon/http/connection.h"
#include "daemon/http/http_server.h"
#include "daemon/http/quirks.h"
#include "daemon/http/request.h"
#include "daemon/http/rest/rest_values.h"
#include "daemon/http/rest_change.h"

static int refuse(struct lws *wsi, unsigned status, const char *why)
{
    struct answer a;
    answer_fault(&a, status, "%s", why);
    return answer_now(wsi, &a, false);
}

/* ---- the change ------------------------------------------------------------------------- */

/* The answer comes later. The connection closes with it: libwebsockets may have read more. */
static int wait_for(struct answer *a, const struct rest_change *c, struct pending_answer *out)
{
    struct http_server *s = c->server;
    s->requested = c->wsi;
    s->closes_requested = false;
    pending_prepare_for(out, s, c->wsi, &c->visitor);
    out->close = out->changes = true;
    pending_take(out, a, "");
    s->requested = NULL;
    return s->closes_requested ? -1 : 0;
}

/* Makes the change, answers, and frees the change. 0: the answer comes later; or -1 */
static int run(struct rest_change *c, struct pending_answer *out, int err)
{
    struct answer a = {0};
    if (err == 0 && c->size > 0)
        err = rest_values_of_body(c->body, c->size, c->values, &c->why);
    if (err == 0)
        c->server->site->change(c, &a);
    else
        answer_reason(&a, api_status_of(err, NULL), &c->why);
    const int result = a.source ? wait_for(&a, c, out) : answer_now(c->wsi, &a, false);
    rest_change_destroy(c);
    return result;
}

/* ---- before the body -------------------------------------------------------------------- */

/* What the checks found: what the site wants to have; why not, and a status. */
struct admission {
    char credential[REST_CREDENTIAL];
    unsigned status;
    struct reason why;
};

/* 0, or -errno: this page or address may not call this method. */
static int admit(const struct request *r, struct admission *found)
{
    struct http_server *s = r->server;
    struct lws *wsi = r->wsi;
    const char *refused = request_refuse_origin(s, wsi, r->host);
    const struct api_method *method =
        api_method_of(s->site->resource(r->path), rest_verb_of(wsi)); /* REST_CHANGE: it has one */
    found->status = 403;
    found->credential[0] = '\0';
    found->why = (struct reason){0};
    return refused ? reason_set(&found->why, -EACCES, "%s", refused)
                   : s->site->admit(s, wsi, method, found->credential, &found->status, &found->why);
}

/* Bytes of the body in *size. 0, or -EINVAL and a status: there may be none. */
static int find_body(struct lws *wsi, size_t *size, unsigned *status, struct reason *why)
{
    char length[24], type[64];
    *size = 0;
    *status = 411;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0)
        return reason_set(why, -EINVAL, "the body has no Content-Length");
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) <= 0)
        return 0;
    *status = 400;
    request_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, length, sizeof length);
    if (lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, 1) > 0)
        return reason_set(why, -EINVAL, "there must be one Content-Length header");
    if (!length[0] || length[strspn(length, "0123456789")])
        return reason_set(why, -EINVAL, "Content-Length is not a number");
    const unsigned long long value = strtoull(length, NULL, 10);
    *status = 413;
    if (value > REST_BODY_MAX)
        return reason_set(why, -EINVAL, "the body has more than %d bytes", REST_BODY_MAX);
    *size = (size_t)value;
    *status = 415;
    request_header(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, type, sizeof type);
    type[strcspn(type, "; ")] = '\0';
    return *size == 0 || strcasecmp(type, "application/json") == 0
               ? 0
               : reason_set(why, -EINVAL, "the body is not application/json (Content-Type)");
}

/* For programs that wait for this line before they send a body. */
static void send_continue(struct lws *wsi)
{
    static const char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
    unsigned char bytes[LWS_PRE + sizeof text];
    memcpy(bytes + LWS_PRE, text, sizeof text - 1);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_EXPECT) > 0)
        lws_write(wsi, bytes + LWS_PRE, sizeof text - 1, LWS_WRITE_RAW);
}

int rest_body_begin(struct pending_answer *out, const struct request *r)
{
    struct lws *wsi = r->wsi;
    struct admission found;
    size_t size;
    if (admit(r, &found) < 0 || find_body(wsi, &size, &found.status, &found.why) < 0)
        return refuse(wsi, found.status, found.why.sentence);
    if (strlen(r->path) >= REST_PATH)
        return refuse(wsi, 404, "there is no such name");
    struct rest_change *c = rest_change_create(r, size);
    if (!c)
        return refuse(wsi, 503, "no memory");
    snprintf(c->credential, sizeof c->credential, "%s", found.credential);
    const int err = rest_values_of_request(wsi, c->values, &c->why);
    if (err < 0 || size == 0)
        return run(c, out, err);
    pending_drop(out);
    *out = (struct pending_answer){.change = c};
    connection_waits(wsi, true);
    send_continue(wsi);
    return 0;
}

/* ---- the body --------------------------------------------------------------------------- */

static bool is_late(const struct pending_answer *out)
{
    return out && quirks_is_late_body(out->server, out->changes);
}

/* What follows the body is another request, which the end of the connection drops. */
int rest_body_add(struct pending_answer *out, const void *bytes, size_t size)
{
    struct rest_change *c = out ? out->change : NULL;
    if (!c)
        return is_late(out) ? 0 : -1;
    if (c->size == 0 && quirks_is_request_again(api_verb_names[c->verb], bytes, size)) {
        out->change = NULL;
        return run(c, out,
                   reason_set(&c->why, -EINVAL,
                              "a request with a body came before the answer to the one "
                              "before it: wait for that answer, or use another "
                              "connection"));
    }
    const size_t taken = quirks_body_bytes(c->expected - c->size, size);
    memcpy(c->body + c->size, bytes, taken);
    c->size += taken;
    if (c->size < c->expected)
        return 0;
    out->change = NULL;
    return run(c, out, 0);
}

/* The change was made with the last byte of its body. */
int rest_body_end(struct pending_answer *out)
{
    return is_late(out) ? 0 : -1;
}
