/*
 * link_frame.h - what fftd and the process that has its connection to a broker (link_process.h)
 * exchange over a socket. Every frame is checked, because that process reads a broker's bytes.
 *
 *     u32 bytes of data, u16 of subject, u16 of reply, u8 kind, u8 id, 2 bytes of 0
 *     subject, 0, reply, 0, data
 */
#ifndef FFTD_DAEMON_NATS_LINK_FRAME_H
#define FFTD_DAEMON_NATS_LINK_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum { LINK_FRAME_HEAD = 12, LINK_FRAME_TEXT = 4096, LINK_FRAME_DATA = 4 << 20 /* at most */ };

enum link_frame_kind {
    /* to the process */
    LINK_FRAME_CONNECT,       /* answered by UP or FAILED */
    LINK_FRAME_PUBLISH,       /* subject, reply ("": none), data */
    LINK_FRAME_PUBLISH_REPLY, /* the same; a refusal by the broker is the requester's fault */
    /* from it */
    LINK_FRAME_UP,
    LINK_FRAME_FAILED,  /* data: why. It may be asked to connect again */
    LINK_FRAME_MESSAGE, /* id: which subscription */
    LINK_FRAME_NOBODY,  /* the same: nobody answers at the subject of a request */
    LINK_FRAME_REFUSED, /* data: the broker's text of a refusal */
    LINK_FRAME_DROPPED, /* data: u64, messages that had no room since the last one */
    LINK_FRAME_CLOSED,  /* data: why. The last frame */
    LINK_FRAME_KINDS
};

struct link_frame {
    enum link_frame_kind kind;
    unsigned id;
    const char *subject, *reply; /* never NULL after a read; NULL is written as "" */
    const void *data;
    size_t size;
};

/* Blocks until all is written. 0 or -errno; -EMSGSIZE: too large, and nothing was written. */
int link_frame_write(int fd, const struct link_frame *f);

/* Zeroed: empty. */
struct link_frame_reader {
    uint8_t *bytes;
    size_t begin, end, capacity; /* unread: from begin to end */
};

/*
 * 1: a frame, which is valid until the next call. 0: none within timeout_ms (-1: waits for ever).
 * -EPIPE: the other side is gone; -EPROTO: malformed frame.
 */
int link_frame_read(struct link_frame_reader *r, int fd, int timeout_ms, struct link_frame *out);
void link_frame_reader_finish(struct link_frame_reader *r); /* empty again */

#endif
