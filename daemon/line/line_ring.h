/*
 * line_ring.h - hands finished lines from the dsp thread to readers on any thread.
 *
 * acquire -> dsp thread fills -> publish -> readers take (a reference) -> drop
 *
 * Lines are published in order and never change afterwards. A block is free again when nobody holds
 * it and every lossless reader has taken it. A reader that is not lossless never stops the writer:
 * when it is overtaken it skips to the oldest line left and `missed` counts the lines.
 * All functions may be called from any thread, each reader by one.
 */
#ifndef FFTD_DAEMON_LINE_LINE_RING_H
#define FFTD_DAEMON_LINE_LINE_RING_H

#include "daemon/line/line.h"

struct line_ring;

/* Joined to one ring; its fields belong to line_ring.c, which guards them. */
struct line_reader {
    struct line_ring *ring;
    struct line_reader *next;
    uint64_t at;     /* sequence number of the next line */
    uint64_t missed; /* lines skipped because the writer overtook */
    bool lossless;   /* the writer waits for this reader (replay) */
};

/* doorbell: called (on the publishing thread) after publish and close; may be NULL. */
int line_ring_create(struct line_ring **out, void (*doorbell)(void *user), void *user);
void line_ring_destroy(struct line_ring *r);

/*
 * Writer. (Re)builds the blocks for lines of n bins: count = clamp(256 MiB / line bytes, 3, 64).
 * Lines that readers still hold live on until they are dropped.
 * -ENOMEM: not even for 3, and nothing has changed. -EAGAIN: a lossless reader has not taken all
 * lines of the old shape within timeout_ms.
 */
int line_ring_configure(struct line_ring *r, uint32_t n, unsigned traces, int timeout_ms);
struct line *line_ring_acquire(struct line_ring *r, int timeout_ms); /* NULL: no free block */
void line_ring_publish(struct line_ring *r, struct line *line);
void line_ring_close(struct line_ring *r); /* no line will follow: wakes all readers */

/* Readers. A new reader starts at the next line to be published. */
void line_reader_join(struct line_reader *reader, struct line_ring *r, bool lossless);
void line_reader_leave(struct line_reader *reader);
/* The next line, held; NULL: nothing within timeout_ms (0: do not wait), or *closed (may be NULL).
 */
struct line *line_reader_next(struct line_reader *reader, int timeout_ms, bool *closed);
uint64_t line_reader_waiting(const struct line_reader *reader); /* lines published, not taken */
uint64_t line_reader_missed(const struct line_reader *reader);
void line_hold(struct line *line);
void line_drop(struct line_ring *r, struct line *line); /* NULL is fine */

#endif
