/* webhook_post.c - a POST request: its headers, its body, the status of its answer. */
#include "daemon/trigger/webhook/webhook_post.h"

#include <stdio.h>
#include <string.h>

#include "daemon/base/log.h"

enum { DESCRIPTORS = 64, BODY_MAX = 8192 };

static const char agent[] = "fftd/" FFTD_VERSION, json[] = "application/json";

/* Returns 0, or -1 if there is no room. */
static int add_headers(struct lws *wsi, const struct webhook_post *p, unsigned char **at,
                       size_t capacity)
{
    unsigned char *end = *at + capacity;
    char length[24];
    const int digits = snprintf(length, sizeof length, "%zu", strlen(p->body));
    if (lws_add_http_header_by_token(wsi, WSI_TOKEN_HTTP_USER_AGENT, (const unsigned char *)agent,
                                     sizeof agent - 1, at, end) ||
        lws_add_http_header_by_token(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, (const unsigned char *)json,
                                     sizeof json - 1, at, end) ||
        lws_add_http_header_by_token(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH,
                                     (const unsigned char *)length, digits, at, end))
        return -1;
    lws_client_http_body_pending(wsi, 1);
    lws_callback_on_writable(wsi);
    return 0;
}

static int send_body(struct lws *wsi, const struct webhook_post *p)
{
    static unsigned char piece[LWS_PRE + BODY_MAX]; /* one thread */
    const size_t size = strlen(p->body);
    if (size > BODY_MAX)
        return -1;
    memcpy(piece + LWS_PRE, p->body, size);
    lws_client_http_body_pending(wsi, 0);
    return lws_write(wsi, piece + LWS_PRE, size, LWS_WRITE_HTTP_FINAL) < (int)size ? -1 : 0;
}

/* The first line: the text of libwebsockets 4.3.5 about a certificate ends with a line feed. */
static void set_reason(struct webhook_post *p, const char *text, size_t size)
{
    if (!p->status && !p->late)
        snprintf(p->reason, sizeof p->reason, "%.*s", (int)size, text ? text : "");
    p->reason[strcspn(p->reason, "\r\n")] = '\0';
}

static int on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t size)
{
    struct webhook_post *p = user;
    if (!p)
        return 0;
    switch ((int)reason) {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
        return add_headers(wsi, p, in, size);
    case LWS_CALLBACK_CLIENT_HTTP_WRITEABLE:
        return send_body(wsi, p);
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
        p->status = lws_http_client_http_response(wsi);
        return -1; /* the rest of the answer does not matter */
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        set_reason(p, in, size);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        p->wsi = NULL;
        return 0;
    default:
        return 0;
    }
}

static void on_library_log(int level, const char *text)
{
    (void)level;
    log_capped("libwebsockets", text);
}

struct lws_context *webhook_post_context(void)
{
    static const struct lws_protocols protocols[] = {{.name = "webhook", .callback = on_http},
                                                     {.name = NULL}};
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT,
        .fd_limit_per_thread = DESCRIPTORS,
        .protocols = protocols,
    };
    lws_set_log_level(LLL_ERR, on_library_log);
    return lws_create_context(&info);
}

void webhook_post_start(struct webhook_post *p, struct lws_context *context)
{
    const struct lws_client_connect_info info = {
        .context = context,
        .address = p->url.host,
        .port = p->url.port,
        .path = p->url.path,
        .host = p->url.authority,
        .origin = p->url.authority,
        .method = "POST",
        .alpn = "http/1.1",
        .ssl_connection = (p->url.tls ? LCCSCF_USE_SSL : 0) | LCCSCF_HTTP_NO_FOLLOW_REDIRECT,
        .local_protocol_name = "webhook",
        .userdata = p,
        .pwsi = &p->wsi,
    };
    p->status = 0;
    p->late = false;
    p->reason[0] = '\0';
    if (!lws_client_connect_via_info(&info)) {
        p->wsi = NULL;
        set_reason(p, "the connection cannot be opened", 100);
    }
}

void webhook_post_abort(struct webhook_post *p)
{
    set_reason(p, "no answer in time", 100);
    p->late = true;
    if (p->wsi)
        lws_set_timeout(p->wsi, PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_ASYNC);
}
