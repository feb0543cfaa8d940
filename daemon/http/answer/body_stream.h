/*
 * body_stream.h - a body that comes in pieces while it is sent: a file, or samples without end. A
 * member of what makes it. Loop thread.
 */
#ifndef FFTD_DAEMON_HTTP_ANSWER_BODY_STREAM_H
#define FFTD_DAEMON_HTTP_ANSWER_BODY_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define BODY_ENDLESS UINT64_MAX /* its size: the end of the connection ends it */

struct body_stream {
    uint64_t size;
    /* The bytes that come next, until they are skipped. 0: there are none yet, and `ready` is
     * called when there are. -errno: no more come, or they cannot be read. */
    ssize_t (*data)(struct body_stream *b, const void **data);
    void (*skip)(struct body_stream *b, size_t bytes); /* of those */
    void (*close)(struct body_stream *b);              /* frees it */
    /* set by who sends it; NULL: nobody does */
    void (*ready)(void *user);
    void *user;
};

#endif
