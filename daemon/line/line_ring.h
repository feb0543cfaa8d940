/*
 * line_ring.h - passes finished lines from the dsp thread to readers on any thread.
 *
 *     acquire -> the dsp thread fills the line -> publish -> readers get a reference -> unref
 *
 * Lines are published in order and never change afterwards. A block becomes free when it has no
 * user and every lossless reader has read it. A reader that is not lossless never delays the
 * writer: when the writer overtakes it, it continues at the oldest line left, and `missed` counts
 * the lines in between.
 *
 * All functions may be called from any thread; each reader belongs to one thread.
 */
#ifndef FFTD_DAEMON_LINE_LINE_RING_H
#define FFTD_DAEMON_LINE_LINE_RING_H

#include "daemon/line/line.h"

struct line_ring;

/* A reader of one ring. Its fields are private to line_ring.c and protected by the lock. */
struct line_reader {
    struct line_ring *ring;
    struct line_reader *next;
    uint64_t at;     /* sequence number of the next line */
    uint64_t missed; /* lines skipped because the writer overtook the reader */
    bool lossless;   /* the writer waits for this reader (replay) */
    bool woken;      /* the next line_reader_next does not wait */
};

enum { LINE_RING_WAIT_MS = 100 };

/* wake_up: called on the publishing thread after publish and close; may be NULL. */
int line_ring_create(struct line_ring **out, void (*wake_up)(void *user), void *user);
void line_ring_destroy(struct line_ring *r);

/*
 * Writer. Allocates blocks for lines of this shape: those of a second, but at least 8 and at most
 * 64 of them, and not more than fit into 256 MiB, unless those are fewer than 3. Lines of the old
 * shape that readers use stay valid until they are dropped. -ENOMEM: there is no memory for 3
 * blocks; nothing has changed. -EAGAIN: a lossless reader has not read all lines of the old shape
 * within LINE_RING_WAIT_MS.
 */
int line_ring_configure(struct line_ring *r, const struct line_shape *shape);
/* Bytes of the blocks that configure allocates: all, and the 3 that it makes before the old ones
 * go. */
size_t line_ring_bytes(const struct line_shape *shape);
size_t line_ring_first_bytes(const struct line_shape *shape);
struct line *line_ring_acquire(struct line_ring *r, int timeout_ms); /* NULL: no free block */
void line_ring_publish(struct line_ring *r, struct line *line);
void line_ring_close(struct line_ring *r); /* no line will follow; wakes all readers */

/* Reader. A new reader starts with the next line to be published. */
void line_reader_join(struct line_reader *reader, struct line_ring *r, bool lossless);
void line_reader_leave(struct line_reader *reader);
/*
 * Returns the next line, as a reference. NULL: there was none within timeout_ms (0: does not wait).
 * *closed (may be NULL) becomes true if the ring is closed and the reader has read its last line.
 */
struct line *line_reader_next(struct line_reader *reader, int timeout_ms, bool *closed);
/* Ends the wait of a reader of this ring, or the next one. It may have left. */
void line_reader_wake(struct line_reader *reader, struct line_ring *r);
uint64_t line_reader_missed(const struct line_reader *reader);
void line_ref(struct line *line);
void line_unref(struct line_ring *r, struct line *line); /* NULL is fine */

#endif
