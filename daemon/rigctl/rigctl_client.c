/* rigctl_client.c - cuts what comes into lines, and sends the answers. */
#include "daemon/rigctl/rigctl_client.h"

#include <stdlib.h>
#include <string.h>

static void on_closed(uv_handle_t *handle)
{
    struct rigctl_client *c = (struct rigctl_client *)handle;
    c->closed(c->user, c);
}

void rigctl_client_close(struct rigctl_client *c)
{
    if (c->closing)
        return;
    c->closing = true;
    uv_close((uv_handle_t *)&c->socket, on_closed);
}

/* ---- answers ------------------------------------------------------------------------------ */

struct answer {
    uv_write_t write; /* first */
    bool last;
    struct text text;
};

static void on_sent(uv_write_t *write, int status)
{
    struct answer *answer = (struct answer *)write;
    struct rigctl_client *c = (struct rigctl_client *)write->handle;
    const bool end = answer->last || status < 0;
    text_finish(&answer->text);
    free(answer);
    if (end)
        rigctl_client_close(c);
}

/* Takes over the text. */
static void send_answer(struct rigctl_client *c, struct text *text, bool last)
{
    struct answer *answer = calloc(1, sizeof *answer);
    const size_t unread = uv_stream_get_write_queue_size((uv_stream_t *)&c->socket);
    if (!answer || text->failed || unread > RIGCTL_UNREAD) {
        free(answer);
        text_finish(text);
        rigctl_client_close(c);
        return;
    }
    *answer = (struct answer){.last = last, .text = *text};
    uv_buf_t bytes = uv_buf_init(answer->text.data, (unsigned)answer->text.length);
    if (uv_write(&answer->write, (uv_stream_t *)&c->socket, &bytes, 1, on_sent) < 0) {
        text_finish(&answer->text);
        free(answer);
        rigctl_client_close(c);
    }
}

/* ---- lines -------------------------------------------------------------------------------- */

static enum rigctl_next run_line(struct rigctl_client *c, struct text *answers)
{
    c->line[c->length] = '\0';
    c->length = 0;
    return rigctl_command_run(c->rig, c->line, answers);
}

/* RIGCTL_END: close it, as soon as the answers are sent. A line that is too long ends it, too. */
static enum rigctl_next take(struct rigctl_client *c, const char *bytes, size_t count,
                             struct text *answers)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n') {
            if (run_line(c, answers) == RIGCTL_END)
                return RIGCTL_END;
        } else if (c->length + 1 < sizeof c->line) {
            c->line[c->length++] = bytes[i];
        } else {
            return RIGCTL_END;
        }
    }
    return RIGCTL_NEXT;
}

static void give_buffer(uv_handle_t *handle, size_t size, uv_buf_t *out)
{
    struct rigctl_client *c = (struct rigctl_client *)handle;
    (void)size;
    *out = uv_buf_init(c->received, sizeof c->received);
}

static void on_bytes(uv_stream_t *stream, ssize_t bytes, const uv_buf_t *buffer)
{
    struct rigctl_client *c = (struct rigctl_client *)stream;
    struct text answers = {0};
    if (bytes < 0) {
        rigctl_client_close(c);
        return;
    }
    c->heard_ms = uv_now(stream->loop);
    const bool last = take(c, buffer->base, (size_t)bytes, &answers) == RIGCTL_END;
    if (last)
        uv_read_stop(stream);
    if (answers.length > 0)
        send_answer(c, &answers, last);
    else if (last)
        rigctl_client_close(c);
}

void rigctl_client_start(struct rigctl_client *c)
{
    enum { KEEPALIVE_S = 60 };
    uv_tcp_nodelay(&c->socket, 1);
    uv_tcp_keepalive(&c->socket, 1, KEEPALIVE_S);
    c->heard_ms = uv_now(c->socket.loop);
    if (uv_read_start((uv_stream_t *)&c->socket, give_buffer, on_bytes) < 0)
        rigctl_client_close(c);
}
