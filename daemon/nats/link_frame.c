/* link_frame.c - writes and reads frames of a stream socket. */
#include "daemon/nats/link_frame.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "daemon/base/bytes.h"

enum { PART = 64 << 10, CAPACITY_MAX = LINK_FRAME_HEAD + 2 * LINK_FRAME_TEXT + LINK_FRAME_DATA };

/* ---- writing ----------------------------------------------------------------------------- */

static void skip_written(struct msghdr *m, size_t count)
{
    while (m->msg_iovlen > 0 && count >= m->msg_iov->iov_len) {
        count -= m->msg_iov->iov_len;
        m->msg_iov++;
        m->msg_iovlen--;
    }
    if (m->msg_iovlen > 0) {
        m->msg_iov->iov_base = (uint8_t *)m->msg_iov->iov_base + count;
        m->msg_iov->iov_len -= count;
    }
}

static int send_all(int fd, struct iovec *parts, size_t count)
{
    struct msghdr m = {.msg_iov = parts, .msg_iovlen = count};
    while (m.msg_iovlen > 0) {
        const ssize_t sent = sendmsg(fd, &m, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return -errno;
        if (sent > 0)
            skip_written(&m, (size_t)sent);
    }
    return 0;
}

int link_frame_write(int fd, const struct link_frame *f)
{
    const char *subject = f->subject ? f->subject : "", *reply = f->reply ? f->reply : "";
    const size_t subject_size = strlen(subject) + 1, reply_size = strlen(reply) + 1;
    uint8_t head[LINK_FRAME_HEAD] = {0};
    if (subject_size > LINK_FRAME_TEXT || reply_size > LINK_FRAME_TEXT || f->size > LINK_FRAME_DATA)
        return -EMSGSIZE;
    bytes_put(head, f->size, 4);
    bytes_put(head + 4, subject_size - 1, 2);
    bytes_put(head + 6, reply_size - 1, 2);
    head[8] = (uint8_t)f->kind;
    head[9] = (uint8_t)f->id;
    struct iovec parts[] = {{head, sizeof head},
                            {(void *)subject, subject_size},
                            {(void *)reply, reply_size},
                            {(void *)f->data, f->size}};
    return send_all(fd, parts, f->size > 0 ? 4 : 3);
}

/* ---- reading ----------------------------------------------------------------------------- */

/* The bytes that the first frame has, or at least has; 0: it is none. */
static size_t frame_size(const struct link_frame_reader *r)
{
    const uint8_t *head = r->bytes + r->begin;
    if (r->end - r->begin < LINK_FRAME_HEAD)
        return LINK_FRAME_HEAD;
    const size_t data = (size_t)bytes_get(head, 4), subject = (size_t)bytes_get(head + 4, 2),
                 reply = (size_t)bytes_get(head + 6, 2);
    if (data > LINK_FRAME_DATA || subject >= LINK_FRAME_TEXT || reply >= LINK_FRAME_TEXT ||
        head[8] >= LINK_FRAME_KINDS)
        return 0;
    return LINK_FRAME_HEAD + subject + 1 + reply + 1 + data;
}

/* A text of the stated length ends there, and nowhere before. */
static const char *text_of(const uint8_t *at, size_t length)
{
    return at[length] == '\0' && memchr(at, '\0', length) == NULL ? (const char *)at : NULL;
}

static int take_frame(struct link_frame_reader *r, size_t size, struct link_frame *out)
{
    const uint8_t *head = r->bytes + r->begin, *text = head + LINK_FRAME_HEAD;
    const size_t subject = (size_t)bytes_get(head + 4, 2), reply = (size_t)bytes_get(head + 6, 2);
    *out = (struct link_frame){.kind = (enum link_frame_kind)head[8],
                               .id = head[9],
                               .subject = text_of(text, subject),
                               .reply = text_of(text + subject + 1, reply),
                               .data = text + subject + 1 + reply + 1,
                               .size = (size_t)bytes_get(head, 4)};
    r->begin += size;
    return out->subject && out->reply ? 1 : -EPROTO;
}

/* Makes room for the rest of a frame of this size, and for more if there is room. */
static int grow(struct link_frame_reader *r, size_t size)
{
    if (r->begin > 0)
        memmove(r->bytes, r->bytes + r->begin, r->end - r->begin);
    r->end -= r->begin;
    r->begin = 0;
    if (r->capacity >= size && r->capacity > r->end)
        return 0;
    const size_t capacity = size > PART ? size : PART;
    uint8_t *bytes = capacity <= CAPACITY_MAX ? realloc(r->bytes, capacity) : NULL;
    if (!bytes)
        return -ENOMEM;
    r->bytes = bytes;
    r->capacity = capacity;
    return 0;
}

/* 1: something came. */
static int receive(struct link_frame_reader *r, int fd, int timeout_ms)
{
    struct pollfd readable = {.fd = fd, .events = POLLIN};
    const int ready = poll(&readable, 1, timeout_ms);
    if (ready <= 0)
        return ready == 0 || errno == EINTR ? 0 : -errno;
    const ssize_t count = recv(fd, r->bytes + r->end, r->capacity - r->end, MSG_DONTWAIT);
    if (count < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -EPIPE;
    r->end += (size_t)count;
    return count == 0 ? -EPIPE : 1;
}

int link_frame_read(struct link_frame_reader *r, int fd, int timeout_ms, struct link_frame *out)
{
    for (;;) {
        const size_t size = frame_size(r);
        if (size == 0)
            return -EPROTO;
        if (r->end - r->begin >= size)
            return take_frame(r, size, out);
        int err = grow(r, size);
        if (err == 0)
            err = receive(r, fd, timeout_ms);
        if (err <= 0)
            return err;
    }
}

void link_frame_reader_finish(struct link_frame_reader *r)
{
    free(r->bytes);
    *r = (struct link_frame_reader){0};
}
