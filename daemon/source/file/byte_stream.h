/*
 * byte_stream.h - reads a file, a FIFO or standard input forward, with a time limit.
 *
 * A regular file can be seeked, and its size is known. Standard input that is a regular file starts
 * at its current position. A compressed file is like a pipe. One thread at a time. Errors are
 * -errno; byte_stream_error has the text.
 */
#ifndef FFTD_DAEMON_SOURCE_FILE_BYTE_STREAM_H
#define FFTD_DAEMON_SOURCE_FILE_BYTE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/format/unpack.h"

#define BYTE_STREAM_UNKNOWN UINT64_MAX

struct packed_input;

struct byte_stream {
    int fd;
    bool open, owned, seekable;
    uint64_t base;    /* position of byte 0 in the file */
    uint64_t size;    /* BYTE_STREAM_UNKNOWN: a pipe */
    uint64_t at;      /* position of the next byte, from base */
    uint64_t to_skip; /* pipe: bytes to discard before the next read */
    uint8_t *ahead;   /* pipe: bytes that byte_stream_peek read; the next reads return them */
    size_t ahead_bytes, ahead_used;
    struct packed_input *packed; /* of a compressed file; NULL: none */
    uint64_t packed_at;          /* bytes of it read so far */
    const char *problem;         /* of its data; NULL: none so far */
};

/* "-" is standard input. -EISDIR: a directory. Does not wait for the writer of a FIFO. */
int byte_stream_open(struct byte_stream *b, const char *path);
void byte_stream_close(struct byte_stream *b); /* also when zeroed or never opened */

/* > 0: bytes read; 0: none within timeout_ms (-1: no limit); -ENODATA: the end. */
int64_t byte_stream_read(struct byte_stream *b, void *into, size_t size, int timeout_ms);
/* What a negative result of these functions means. */
const char *byte_stream_error(const struct byte_stream *b, int64_t err);
/* A regular file: where its descriptor has the next byte. */
uint64_t byte_stream_offset(const struct byte_stream *b);
/* Reads all `size` bytes. -ENODATA: the end came first; -ETIMEDOUT: a pause of timeout_ms. */
int byte_stream_fill(struct byte_stream *b, void *into, size_t size, int timeout_ms);
/*
 * Pipe, before the first read: reads up to `size` bytes that later reads return again, until there
 * are `enough`, the end, a pause of pause_ms, or limit_ms in all. Returns their number, or -errno;
 * *ended: no more follow. The bytes are b->ahead. A later call continues.
 */
int64_t byte_stream_peek(struct byte_stream *b, size_t size, size_t enough, int pause_ms,
                         int limit_ms, bool *ended);
/* Before the first read, but perhaps after byte_stream_peek: reads decompress from here on. */
int byte_stream_unpack(struct byte_stream *b, enum unpack_format format);
/* Skips bytes without waiting: for a pipe, the next read discards them. */
void byte_stream_skip(struct byte_stream *b, uint64_t bytes);
/* Moves to a position counted from byte 0. -ESPIPE: a pipe. */
int byte_stream_seek(struct byte_stream *b, uint64_t at);

#endif
