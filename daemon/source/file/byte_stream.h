/*
 * byte_stream.h - the bytes of a file, a FIFO or standard input, read forward, with a time limit.
 *
 * A regular file can also be sought in, and its size is known. Standard input that is a regular
 * file counts from where it stands. One thread at a time. Errors are -errno.
 */
#ifndef FFTD_DAEMON_SOURCE_FILE_BYTE_STREAM_H
#define FFTD_DAEMON_SOURCE_FILE_BYTE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BYTE_STREAM_UNKNOWN UINT64_MAX

struct byte_stream {
    int fd;
    bool open, owned, seekable;
    uint64_t base;    /* where byte 0 lies in the file */
    uint64_t size;    /* BYTE_STREAM_UNKNOWN: a pipe */
    uint64_t at;      /* of the next byte, counted from base */
    uint64_t to_skip; /* pipe: bytes still to be thrown away before the next read */
};

/* "-" is standard input. -EISDIR for a directory; a FIFO is opened without waiting for its writer.
 */
int byte_stream_open(struct byte_stream *b, const char *path);
void byte_stream_close(struct byte_stream *b); /* also when zeroed or never opened */

/* > 0 bytes, 0 nothing within timeout_ms (-1: waits), -ENODATA the end. */
int64_t byte_stream_read(struct byte_stream *b, void *into, size_t size, int timeout_ms);
/* All of them: 0, -ENODATA: the end came first, -ETIMEDOUT: a pause of timeout_ms. */
int byte_stream_fill(struct byte_stream *b, void *into, size_t size, int timeout_ms);
/* Passes over so many bytes; does not wait (a pipe is emptied by the next read). */
void byte_stream_skip(struct byte_stream *b, uint64_t bytes);
/* Goes to a position counted from the first byte. -ESPIPE: a pipe. */
int byte_stream_seek(struct byte_stream *b, uint64_t at);

#endif
