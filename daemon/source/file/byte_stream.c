/* byte_stream.c - reads files with pread, and pipes with poll and read. */
#include "daemon/source/file/byte_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "daemon/base/clock.h"

static int inspect(struct byte_stream *b)
{
    struct stat st;
    if (fstat(b->fd, &st))
        return -errno;
    if (S_ISDIR(st.st_mode))
        return -EISDIR;
    b->size = BYTE_STREAM_UNKNOWN;
    if (!S_ISREG(st.st_mode))
        return 0;
    const off_t base = b->owned ? 0 : lseek(b->fd, 0, SEEK_CUR);
    if (base < 0)
        return -errno;
    b->seekable = true;
    b->base = (uint64_t)base;
    b->size = st.st_size > base ? (uint64_t)(st.st_size - base) : 0;
    return 0;
}

/* A standard input that was closed is a file for writing alone: see standard_files.h. */
static bool is_readable(int fd)
{
    const int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) != O_WRONLY;
}

/* O_NONBLOCK: otherwise open() of a FIFO waits for a writer, without a time limit. */
int byte_stream_open(struct byte_stream *b, const char *path)
{
    *b = (struct byte_stream){0};
    b->owned = strcmp(path, "-") != 0;
    b->fd = b->owned ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : STDIN_FILENO;
    if (b->fd < 0)
        return -errno;
    b->open = true;
    const int err = is_readable(b->fd) ? inspect(b) : -EBADF;
    if (err < 0)
        byte_stream_close(b);
    return err;
}

void byte_stream_close(struct byte_stream *b)
{
    if (b->open && b->owned)
        close(b->fd);
    b->open = false;
    free(b->ahead);
    b->ahead = NULL;
}

/* poll() waits for the first writer of a FIFO; read() would report the end. */
static int64_t read_pipe(const struct byte_stream *b, void *into, size_t size, int timeout_ms)
{
    struct pollfd ready = {.fd = b->fd, .events = POLLIN};
    const int count = poll(&ready, 1, timeout_ms);
    if (count == 0 || (count < 0 && errno == EINTR))
        return 0;
    const int64_t got = count < 0 ? -1 : read(b->fd, into, size);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN ? 0 : -errno;
    return got > 0 ? got : -ENODATA;
}

static int64_t read_forward(struct byte_stream *b, void *into, size_t size, int timeout_ms)
{
    const size_t left = b->ahead_bytes - b->ahead_used, count = size < left ? size : left;
    if (left == 0)
        return read_pipe(b, into, size, timeout_ms);
    memcpy(into, b->ahead + b->ahead_used, count);
    b->ahead_used += count;
    return (int64_t)count;
}

uint64_t byte_stream_offset(const struct byte_stream *b)
{
    return b->base + b->at;
}

static int64_t read_file(const struct byte_stream *b, void *into, size_t size)
{
    const int64_t got = pread(b->fd, into, size, (off_t)byte_stream_offset(b));
    if (got < 0)
        return errno == EINTR ? 0 : -errno;
    return got > 0 ? got : -ENODATA;
}

static int64_t discard(struct byte_stream *b, int timeout_ms)
{
    char waste[16384];
    const size_t size = b->to_skip < sizeof waste ? (size_t)b->to_skip : sizeof waste;
    const int64_t got = read_forward(b, waste, size, timeout_ms);
    if (got > 0) {
        b->at += (uint64_t)got;
        b->to_skip -= (uint64_t)got;
    }
    return got;
}

int64_t byte_stream_read(struct byte_stream *b, void *into, size_t size, int timeout_ms)
{
    while (b->to_skip > 0) {
        const int64_t got = discard(b, timeout_ms);
        if (got <= 0)
            return got;
    }
    const int64_t got =
        b->seekable ? read_file(b, into, size) : read_forward(b, into, size, timeout_ms);
    if (got > 0)
        b->at += (uint64_t)got;
    return got;
}

int64_t byte_stream_peek(struct byte_stream *b, size_t size, int pause_ms, int limit_ms,
                         bool *ended)
{
    const uint64_t until_ns = clock_after_ms(limit_ms);
    int64_t got = 1;
    b->ahead = malloc(size);
    if (!b->ahead)
        return -ENOMEM;
    while (got > 0 && b->ahead_bytes < size && clock_now_ns() < until_ns) {
        got = read_pipe(b, b->ahead + b->ahead_bytes, size - b->ahead_bytes, pause_ms);
        b->ahead_bytes += got > 0 ? (size_t)got : 0;
    }
    *ended = got == -ENODATA;
    return got < 0 && !*ended ? got : (int64_t)b->ahead_bytes;
}

int byte_stream_fill(struct byte_stream *b, void *into, size_t size, int timeout_ms)
{
    for (size_t have = 0; have < size;) {
        const int64_t got = byte_stream_read(b, (char *)into + have, size - have, timeout_ms);
        if (got <= 0)
            return got ? (int)got : -ETIMEDOUT;
        have += (size_t)got;
    }
    return 0;
}

void byte_stream_skip(struct byte_stream *b, uint64_t bytes)
{
    if (b->seekable)
        b->at += bytes;
    else
        b->to_skip += bytes;
}

int byte_stream_seek(struct byte_stream *b, uint64_t at)
{
    if (!b->seekable)
        return -ESPIPE;
    b->at = at;
    return 0;
}
