/* request.c - reads a request from libwebsockets, and finds what HTTP forbids in it. */
#include "daemon/http/request.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "daemon/access/guard.h"
#include "daemon/base/log.h"
#include "daemon/base/one_line.h"
#include "daemon/http/accept.h"
#include "daemon/http/http_server.h"
#include "daemon/http/quirks.h"

/* ---- reading ---------------------------------------------------------------------------- */

bool request_copy_header(struct lws *wsi, enum lws_token_indexes token, char *into, size_t size)
{
    into[0] = '\0';
    return lws_hdr_total_length(wsi, token) == 0 || lws_hdr_copy(wsi, into, (int)size, token) >= 0;
}

void request_header(struct lws *wsi, enum lws_token_indexes token, char *into, size_t size)
{
    if (!request_copy_header(wsi, token, into, size))
        into[0] = '\0';
}

const char *request_bearer(struct lws *wsi, char *into, size_t size)
{
    static const char scheme[] = "bearer ";
    request_header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, into, size);
    return strncasecmp(into, scheme, sizeof scheme - 1) == 0 ? into + sizeof scheme - 1 : NULL;
}

static void read_query(struct lws *wsi, struct query *q)
{
    char pair[HTTP_HEADER_MAX];
    *q = (struct query){0};
    for (int i = 0; quirks_parameter(wsi, i, pair, sizeof pair); i++)
        query_add(q, pair);
}

static bool wants_close(struct lws *wsi)
{
    char connection[128];
    char version[16] = "";
    request_header(wsi, WSI_TOKEN_CONNECTION, connection, sizeof connection);
    request_header(wsi, WSI_TOKEN_HTTP, version, sizeof version);
    if (strcmp(version, "HTTP/1.1") == 0)
        return guard_listed("close", connection);
    return strcasecmp(connection, "keep-alive") != 0;
}

void request_read(struct http_server *s, struct lws *wsi, const char *path, struct request *r)
{
    *r = (struct request){.server = s,
                          .wsi = wsi,
                          .path = path,
                          .head = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0,
                          .close = wants_close(wsi)};
    request_header(wsi, WSI_TOKEN_HTTP_ACCEPT, r->accept, sizeof r->accept);
    request_header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, r->etag, sizeof r->etag);
    char codings[256];
    request_header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, codings, sizeof codings);
    r->gzip = accept_prefers(codings, "gzip", "identity");
    read_query(wsi, &r->query);
}

/* ---- faults ----------------------------------------------------------------------------- */

static bool occurs(struct lws *wsi, enum lws_token_indexes token)
{
    return lws_hdr_total_length(wsi, token) > 0;
}

/* A repeated header is a second fragment, which begins with a space. */
static bool is_repeated(struct lws *wsi, enum lws_token_indexes token)
{
    return lws_hdr_fragment_length(wsi, token, 1) > 0;
}

/* A server that skips the space before the colon sees a body where another sees none. */
static bool has_space_before_colon(struct lws *wsi)
{
    static const char *const names[] = {"host :",
                                        "host\t:",
                                        "content-length :",
                                        "content-length\t:",
                                        "transfer-encoding :",
                                        "transfer-encoding\t:"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (lws_hdr_custom_length(wsi, names[i], (int)strlen(names[i])) >= 0)
            return true;
    }
    return false;
}

/* A Content-Length that is too long to copy counts as a body. */
static bool has_body(struct lws *wsi)
{
    char length[32];
    request_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, length, sizeof length);
    return occurs(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) ||
           (occurs(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) && strcmp(length, "0") != 0);
}

/* The minor version of HTTP/1; -1: another major version; -2: something else. */
static int minor_version(struct lws *wsi)
{
    char version[16] = "";
    request_header(wsi, WSI_TOKEN_HTTP, version, sizeof version);
    if (strlen(version) != 8 || strncmp(version, "HTTP/", 5) != 0 || version[6] != '.' ||
        !strchr("0123456789", version[5]) || !strchr("0123456789", version[7]))
        return -2;
    return version[5] == '1' ? version[7] - '0' : -1;
}

bool request_is_http_1_0(struct lws *wsi)
{
    return minor_version(wsi) == 0;
}

const char *request_find_fault(struct lws *wsi, unsigned *status)
{
    const int minor = minor_version(wsi);
    *status = 505;
    if (minor == -1)
        return "only HTTP/1.1 and HTTP/1.0 are supported";
    *status = 400;
    if (minor < 0)
        return "the request line does not end with HTTP/1.1";
    if (has_space_before_colon(wsi))
        return "there must be no space before the colon of a header";
    if (minor > 0 && !occurs(wsi, WSI_TOKEN_HOST))
        return "HTTP/1.1 needs a Host header";
    if (is_repeated(wsi, WSI_TOKEN_HOST))
        return "there must be one Host header";
    return NULL;
}

const char *request_find_body(struct lws *wsi, unsigned *status)
{
    *status = 400;
    return has_body(wsi) ? "a request must not have a body" : NULL;
}

/* ---- host and origin -------------------------------------------------------------------- */

bool request_check_host(struct http_server *s, struct lws *wsi, char host[256])
{
    if (!request_copy_header(wsi, WSI_TOKEN_HOST, host, 256))
        return false;
    return !host[0] || guard_host(host, s->options.allow_host);
}

/* The name has the characters of a host: the Host header has it, too, and was checked. */
static const char *blame_proxy(struct http_server *s, const char *origin, const char *host)
{
    if (!s->proxy_blamed)
        log_warn("a page of %.280s was refused, because the Host of its request is %.255s, without "
                 "the port: the proxy must pass it on (nginx: proxy_set_header Host $http_host)",
                 origin, host);
    s->proxy_blamed = true;
    return "this Origin is not allowed: the Host header lacks its port; the proxy must pass it on "
           "(nginx: proxy_set_header Host $http_host), or see allow-origin";
}

static const char *refuse_origin(struct http_server *s, char *origin)
{
    make_one_line(origin);
    if (!s->origin_blamed)
        log_warn("a page of %.280s was refused: see allow-origin", origin);
    s->origin_blamed = true;
    return "this Origin is not allowed (see allow-origin)";
}

/*
 * Each origin must be allowed: libwebsockets concatenates repeated Origin headers, and has a token
 * of its own for the old name of the header. An empty header, which no browser sends, counts as
 * absent.
 */
const char *request_refuse_origin(struct http_server *s, struct lws *wsi, const char *host)
{
    static const enum lws_token_indexes tokens[] = {WSI_TOKEN_ORIGIN, WSI_TOKEN_SWORIGIN};
    for (int i = 0; i < 2; i++) {
        char origin[512];
        if (!request_copy_header(wsi, tokens[i], origin, sizeof origin)) {
            snprintf(origin, sizeof origin, "an Origin that is too long");
            return refuse_origin(s, origin);
        }
        if (!guard_origin(origin[0] ? origin : NULL, host, s->options.allow_origin))
            return guard_host_lacks_port(origin, host) ? blame_proxy(s, origin, host)
                                                       : refuse_origin(s, origin);
    }
    return NULL;
}
