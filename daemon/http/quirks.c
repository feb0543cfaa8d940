/* quirks.c - repairs libwebsockets (quirks.h). */
#include "daemon/http/quirks.h"

#include <jansson.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>

/* ---- sockets ---------------------------------------------------------------------------- */

struct search {
    uv_os_fd_t fd;
    uv_poll_t *found;
};

static void look(uv_handle_t *handle, void *user)
{
    struct search *s = user;
    uv_os_fd_t fd;
    if (handle->type == UV_POLL && !uv_is_closing(handle) && uv_fileno(handle, &fd) == 0 &&
        fd == s->fd)
        s->found = (uv_poll_t *)handle;
}

/* libwebsockets names its handles to nobody. */
static uv_poll_t *find(uv_loop_t *loop, struct lws *wsi)
{
    struct search s = {.fd = lws_get_socket_fd(wsi)};
    uv_walk(loop, look, &s);
    return s.found && s.found->data == wsi ? s.found : NULL;
}

uv_poll_t *quirks_hold_socket(uv_loop_t *loop, struct lws *wsi)
{
    uv_poll_t *poll = find(loop, wsi);
    lws_rx_flow_control(wsi, 0); /* it would serve what it has read */
    if (poll)
        uv_poll_stop(poll);
    return poll;
}

/* With the permission to read, libwebsockets starts its handle. */
void quirks_release_socket(uv_poll_t *poll, struct lws *wsi)
{
    uv_poll_stop(poll);
    lws_rx_flow_control(wsi, 1);
}

void quirks_close_soon(struct lws_context *context, struct lws *wsi)
{
    lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
    lws_cancel_service(context);
}

unsigned quirks_descriptors(unsigned connections)
{
    enum { TABLE_MAX = 1 << 16 }; /* descriptors, of 16 bytes each */
    struct rlimit limit;
    const bool small = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur <= TABLE_MAX;
    return small ? 0 : connections + 8;
}

/* ---- requests --------------------------------------------------------------------------- */

bool quirks_complete(struct lws *wsi, bool changes)
{
    return !changes && !lws_http_transaction_completed(wsi);
}

bool quirks_is_request_again(const char *verb, const char *bytes, size_t size)
{
    const size_t length = strlen(verb);
    return size > 0 && memcmp(bytes, verb, size < length ? size : length) == 0;
}

size_t quirks_body_bytes(size_t missing, size_t size)
{
    return size < missing ? size : missing;
}

bool quirks_is_late_body(bool under_way, bool changes)
{
    return under_way && changes;
}

bool quirks_parameter(struct lws *wsi, int i, char *pair, size_t size)
{
    if (lws_hdr_copy_fragment(wsi, pair, (int)size, WSI_TOKEN_HTTP_URI_ARGS, i) < 0)
        return false;
    if (strcmp(pair, "/") == 0)
        pair[0] = '\0';
    return true;
}

bool quirks_declines_http2(char *upgrade)
{
    const bool offered = strcasecmp(upgrade, "h2c") == 0;
    if (offered)
        upgrade[0] = '\0';
    return offered;
}

/* ---- websockets ------------------------------------------------------------------------- */

int quirks_check_close(struct lws *wsi, const unsigned char *body, size_t size)
{
    const unsigned code = size >= 2 ? (unsigned)body[0] << 8 | body[1] : 0;
    json_t *reason = size > 2 ? json_stringn((const char *)body + 2, size - 2) : NULL;
    const bool is_text = size <= 2 || reason; /* jansson takes UTF-8 only */
    json_decref(reason);
    if (size != 1 && code < 5000 && is_text)
        return 0;
    lws_close_reason(
        wsi, is_text ? LWS_CLOSE_STATUS_PROTOCOL_ERR : LWS_CLOSE_STATUS_INVALID_PAYLOAD, NULL, 0);
    return -1;
}

const lws_retry_bo_t quirks_no_keepalive = {.secs_since_valid_ping = 0};

bool quirks_ping(struct lws *wsi)
{
    unsigned char byte[LWS_PRE + 1] = {0};
    return lws_write(wsi, byte + LWS_PRE, 1, LWS_WRITE_PING) >= 0;
}
