/* file_body.c - reads a file in pieces on the pool of libuv. */
#include "daemon/http/answer/file_body.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_BYTES = 128 << 10 };

struct file_body {
    struct body_stream stream; /* first */
    uv_loop_t *loop;
    uv_fs_t request;
    uint32_t *count;
    int fd;
    int err;         /* of the last read */
    bool reading;    /* the pool has the buffer */
    bool closed;     /* the end of the read frees it */
    uint64_t next;   /* the offset of the next read */
    size_t from, to; /* what the buffer still has */
    uint8_t buffer[READ_BYTES];
};

static void release(struct file_body *f)
{
    close(f->fd);
    free(f);
}

static void on_read(uv_fs_t *request)
{
    struct file_body *f = request->data;
    const ssize_t got = request->result;
    uv_fs_req_cleanup(request);
    f->reading = false;
    if (f->closed) {
        release(f);
        return;
    }
    f->err = got > 0 ? 0 : got < 0 ? (int)got : -EIO;
    f->from = 0;
    f->to = got > 0 ? (size_t)got : 0;
    f->next += f->to;
    if (f->stream.ready)
        f->stream.ready(f->stream.user);
}

static void read_more(struct file_body *f)
{
    const uint64_t rest = f->stream.size - f->next;
    const uv_buf_t into =
        uv_buf_init((char *)f->buffer, (unsigned)(rest < READ_BYTES ? rest : READ_BYTES));
    f->request.data = f;
    f->err = uv_fs_read(f->loop, &f->request, f->fd, &into, 1, (int64_t)f->next, on_read);
    f->reading = f->err == 0;
}

static ssize_t next_data(struct body_stream *b, const void **data)
{
    struct file_body *f = (struct file_body *)b;
    if (f->err == 0 && f->from == f->to && !f->reading && f->next < f->stream.size)
        read_more(f);
    *data = f->buffer + f->from;
    return f->from < f->to ? (ssize_t)(f->to - f->from) : f->err;
}

static void skip_data(struct body_stream *b, size_t bytes)
{
    struct file_body *f = (struct file_body *)b;
    f->from += bytes;
}

static void close_file(struct body_stream *b)
{
    struct file_body *f = (struct file_body *)b;
    (*f->count)--;
    f->closed = true;
    if (f->reading)
        uv_cancel((uv_req_t *)&f->request); /* its callback is called all the same */
    else
        release(f);
}

struct body_stream *file_body_open(uv_loop_t *loop, int fd, uint64_t size, uint32_t *count)
{
    struct file_body *f = malloc(sizeof *f);
    if (!f) {
        close(fd);
        return NULL;
    }
    memset(f, 0, offsetof(struct file_body, buffer));
    f->loop = loop;
    f->fd = fd;
    f->stream = (struct body_stream){
        .size = size, .data = next_data, .skip = skip_data, .close = close_file};
    f->count = count;
    (*count)++;
    posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return &f->stream;
}
