/* viewer.c - opens a websocket, asks for a view, and gives credit for each line. */
#include "bench/daemon/viewer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/message.h"

enum { HEAD_MAX = 4096, FRAME_HEAD = 6, SMALL = 126, PING = 9, BINARY = 2, PONG = 10 };
enum { KIND_AT = 5, KIND_LINE = 1, KIND_DENSITY = 2 }; /* of a binary message: docs/protocol.md */

/* A frame of RFC 6455 with a mask of zero, which leaves the bytes as they are. */
static int send_frame(int fd, int opcode, const char *text)
{
    unsigned char frame[FRAME_HEAD + SMALL] = {(unsigned char)(0x80 | opcode),
                                               (unsigned char)(0x80 | strlen(text))};
    const size_t size = FRAME_HEAD + strlen(text);
    for (size_t i = FRAME_HEAD; i < size; i++)
        frame[i] = (unsigned char)text[i - FRAME_HEAD];
    return send(fd, frame, size, MSG_NOSIGNAL) == (ssize_t)size ? 0 : -EIO;
}

static bool receive(int fd, void *into, size_t size)
{
    for (size_t used = 0; used < size;) {
        const ssize_t got = recv(fd, (char *)into + used, size - used, MSG_WAITALL);
        if (got <= 0)
            return false;
        used += (size_t)got;
    }
    return true;
}

static bool receive_size(int fd, unsigned first, uint64_t *size)
{
    unsigned char wide[8];
    const size_t bytes = first == 126 ? 2 : first == 127 ? 8 : 0;
    *size = bytes ? 0 : first;
    if (bytes && !receive(fd, wide, bytes))
        return false;
    for (size_t i = 0; i < bytes; i++)
        *size = *size << 8 | wide[i];
    return true;
}

/* Reads the rest of a message; its first bytes are in `head`. */
static bool receive_body(int fd, uint64_t size, unsigned char *head, size_t head_size)
{
    unsigned char waste[4096];
    const size_t first = size < head_size ? (size_t)size : head_size;
    if (!receive(fd, head, first))
        return false;
    for (uint64_t left = size - first; left > 0;) {
        const size_t now = left < sizeof waste ? (size_t)left : sizeof waste;
        if (!receive(fd, waste, now))
            return false;
        left -= now;
    }
    return true;
}

static bool take_message(struct viewer *v)
{
    unsigned char start[2], head[16] = {0};
    uint64_t size;
    if (!receive(v->fd, start, 2) || !receive_size(v->fd, start[1] & 0x7f, &size) ||
        !receive_body(v->fd, size, head, sizeof head))
        return false;
    const int opcode = start[0] & 0x0f;
    if (opcode == PING)
        return send_frame(v->fd, PONG, "") == 0;
    if (opcode == BINARY && head[KIND_AT] == KIND_DENSITY)
        atomic_fetch_add(&v->densities, 1);
    if (opcode != BINARY || head[KIND_AT] != KIND_LINE)
        return true;
    atomic_fetch_add(&v->lines, 1);
    return send_frame(v->fd, 1, "{\"type\":\"credit\"}") == 0;
}

static void *view(void *argument)
{
    struct viewer *v = argument;
    while (take_message(v))
        ;
    return NULL;
}

static int upgrade(int fd)
{
    static const char request[] =
        "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: ZmZ0LWJlbmNoLXZpZXdlcg==\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Protocol: fftd.3\r\n\r\n";
    char head[HEAD_MAX] = "";
    if (send(fd, request, sizeof request - 1, MSG_NOSIGNAL) != (ssize_t)sizeof request - 1)
        return -EIO;
    for (size_t used = 0; used + 1 < sizeof head && !strstr(head, "\r\n\r\n"); used++)
        if (recv(fd, head + used, 1, 0) != 1)
            return -EIO;
    return strncmp(head, "HTTP/1.1 101", 12) == 0 ? 0 : -EPROTO;
}

int viewer_start(struct viewer *v, const struct process *p, bool density)
{
    *v = (struct viewer){.fd = process_connect(p)};
    int err = v->fd < 0 ? v->fd : upgrade(v->fd);
    if (err == 0)
        err = send_frame(v->fd, 1, "{\"type\":\"view\",\"id\":1,\"columns\":1024}");
    if (err == 0 && density)
        err = send_frame(v->fd, 1, "{\"id\":1,\"subscribe\":\"density\"}");
    if (err == 0)
        err = -pthread_create(&v->thread, NULL, view, v);
    v->started = err == 0;
    if (err < 0)
        bench_error("viewer: %s", strerror(-err));
    return err;
}

void viewer_stop(struct viewer *v)
{
    if (v->started) {
        shutdown(v->fd, SHUT_RDWR);
        pthread_join(v->thread, NULL);
    }
    if (v->fd > 0)
        close(v->fd);
    *v = (struct viewer){0};
}
