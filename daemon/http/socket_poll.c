/* socket_poll.c - stops and starts the handles of libwebsockets. */
#include "daemon/http/socket_poll.h"

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

uv_poll_t *socket_poll_take(uv_loop_t *loop, struct lws *wsi)
{
    uv_poll_t *poll = find(loop, wsi);
    lws_rx_flow_control(wsi, 0); /* it would serve what it has read */
    if (poll)
        uv_poll_stop(poll);
    return poll;
}

/* With the permission to read, libwebsockets starts its handle. */
void socket_poll_return(uv_poll_t *poll, struct lws *wsi)
{
    uv_poll_stop(poll);
    lws_rx_flow_control(wsi, 1);
}
