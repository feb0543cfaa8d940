/* byte_stream.c - reads files with pread, pipes with poll and read, and decompresses both. */
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

enum { PACKED_BYTES = 65536 };

struct packed_input {
    struct unpack *decoder;
    enum unpack_format format;
    bool is_file;
    int err;                     /* of the decoder: it does not go on */
    uint8_t bytes[PACKED_BYTES]; /* read, but not decompressed yet */
    size_t count, used;
};

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
    if (b->packed)
        unpack_destroy(b->packed->decoder);
    free(b->packed);
    b->packed = NULL;
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

uint64_t byte_stream_offset(const struct byte_stream *b)
{
    return b->base + b->at;
}

static int64_t read_file(const struct byte_stream *b, uint64_t at, void *into, size_t size)
{
    const int64_t got = pread(b->fd, into, size, (off_t)(b->base + at));
    if (got < 0)
        return errno == EINTR ? 0 : -errno;
    return got > 0 ? got : -ENODATA;
}

/* ---- compressed files --------------------------------------------------------------------- */

static int64_t packed_fail(struct byte_stream *b, int err)
{
    static const char *const damaged[] = {[UNPACK_GZIP] = "its gzip data are damaged",
                                          [UNPACK_ZSTD] = "its Zstandard data are damaged"};
    static const char *const cut[] = {
        [UNPACK_GZIP] = "its gzip data end early: the file is truncated",
        [UNPACK_ZSTD] = "its Zstandard data end early: the file is truncated"};
    const enum unpack_format format = b->packed->format;
    b->problem = err == -EBADMSG ? damaged[format]
                 : err == -EIO   ? cut[format]
                 : err == -E2BIG ? "its Zstandard data need more than 128 MiB of memory: unpack it "
                                   "first with unzstd --long=31"
                                 : NULL;
    return err;
}

/* > 0: bytes that arrived; 0: none in time; -ENODATA: the end, where it may be. */
static int64_t read_more(struct byte_stream *b, int timeout_ms)
{
    struct packed_input *p = b->packed;
    const int64_t got = p->is_file ? read_file(b, b->packed_at, p->bytes, sizeof p->bytes)
                                   : read_pipe(b, p->bytes, sizeof p->bytes, timeout_ms);
    p->used = 0;
    p->count = got > 0 ? (size_t)got : 0;
    b->packed_at += p->count;
    return got == -ENODATA && !unpack_may_end(p->decoder) ? packed_fail(b, -EIO) : got;
}

static int64_t read_packed(struct byte_stream *b, void *into, size_t size, int timeout_ms)
{
    struct packed_input *p = b->packed;
    for (;;) {
        struct unpack_buffers buffers = {p->bytes + p->used, p->count - p->used, into, size};
        if (p->err == 0)
            p->err = unpack_run(p->decoder, &buffers);
        p->used = p->count - buffers.in_bytes;
        if (buffers.out_bytes < size)
            return (int64_t)(size - buffers.out_bytes);
        if (p->err < 0)
            return packed_fail(b, p->err);
        const int64_t got = read_more(b, timeout_ms);
        if (got <= 0)
            return got;
    }
}

int byte_stream_unpack(struct byte_stream *b, enum unpack_format format)
{
    struct packed_input *p = calloc(1, sizeof *p);
    if (p)
        p->decoder = unpack_create(format);
    if (!p || !p->decoder) {
        free(p);
        return -ENOMEM;
    }
    p->format = format;
    p->is_file = b->seekable;
    p->count = b->ahead_bytes < sizeof p->bytes ? b->ahead_bytes : sizeof p->bytes;
    if (p->count > 0)
        memcpy(p->bytes, b->ahead, p->count);
    b->ahead_bytes = 0;
    b->packed = p;
    b->seekable = false;
    b->size = BYTE_STREAM_UNKNOWN;
    return 0;
}

const char *byte_stream_error(const struct byte_stream *b, int64_t err)
{
    return b->problem ? b->problem : strerror((int)-err);
}

/* ---- reading ------------------------------------------------------------------------------ */

static int64_t read_arriving(struct byte_stream *b, void *into, size_t size, int timeout_ms)
{
    return b->packed ? read_packed(b, into, size, timeout_ms)
                     : read_pipe(b, into, size, timeout_ms);
}

static int64_t read_forward(struct byte_stream *b, void *into, size_t size, int timeout_ms)
{
    const size_t left = b->ahead_bytes - b->ahead_used, count = size < left ? size : left;
    if (left == 0)
        return read_arriving(b, into, size, timeout_ms);
    memcpy(into, b->ahead + b->ahead_used, count);
    b->ahead_used += count;
    return (int64_t)count;
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
        b->seekable ? read_file(b, b->at, into, size) : read_forward(b, into, size, timeout_ms);
    if (got > 0)
        b->at += (uint64_t)got;
    return got;
}

int64_t byte_stream_peek(struct byte_stream *b, size_t size, size_t enough, int pause_ms,
                         int limit_ms, bool *ended)
{
    const uint64_t until_ns = clock_after_ms(limit_ms);
    int64_t got = 1;
    uint8_t *ahead = realloc(b->ahead, size);
    if (!ahead)
        return -ENOMEM;
    b->ahead = ahead;
    while (got > 0 && b->ahead_bytes < enough && clock_now_ns() < until_ns) {
        got = read_arriving(b, ahead + b->ahead_bytes, size - b->ahead_bytes, pause_ms);
        b->ahead_bytes += got > 0 ? (size_t)got : 0;
    }
    *ended = got == -ENODATA;
    return got < 0 && !*ended && b->ahead_bytes == 0 ? got : (int64_t)b->ahead_bytes;
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
