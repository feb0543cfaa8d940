/*
 * frame_log.h - the newest frames of a radio, from a complete one on, for its viewers. Loop thread.
 *
 * Frames are numbered from 0. A viewer keeps the number of the next frame that it needs: one that
 * was overtaken, or is new, goes on with the newest complete frame.
 */
#ifndef FFTD_DAEMON_HUB_FRAME_LOG_H
#define FFTD_DAEMON_HUB_FRAME_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/wire/frame.h"

enum {
    FRAME_LOG_FRAMES = 1024,      /* at most */
    FRAME_LOG_BYTES = 4 << 20,    /* at most */
    FRAME_LOG_RUNS = 8,           /* complete frames, with those that follow each */
    FRAME_LOGS_BYTES = 256 << 20, /* of all logs */
};

/* Zeroed: empty. */
struct frame_log {
    struct frame **frames; /* [room], a ring; frame i is at i % room */
    uint32_t room;
    uint64_t first, end;               /* numbers of the oldest frame, and after the newest */
    uint64_t complete[FRAME_LOG_RUNS]; /* numbers of complete frames, oldest first */
    uint32_t runs;
    size_t bytes;
    uint64_t *all_bytes; /* of all logs */
};

/*
 * Takes over the frame. Older ones leave where it has no room. False: it is not kept, because no
 * complete frame is before it, or there is no memory.
 */
bool frame_log_add(struct frame_log *l, struct frame *frame, bool complete);
void frame_log_clear(struct frame_log *l);  /* later frames have later numbers still */
void frame_log_finish(struct frame_log *l); /* zeroed is fine */

/* Where a new viewer begins: the newest complete frame, or the end. */
uint64_t frame_log_start(const struct frame_log *l);
/*
 * The next frame of a viewer, held; NULL: there is none yet. *next goes to the frame after it.
 * dropped: those that the viewer was too late for are added.
 */
struct frame *frame_log_next(struct frame_log *l, uint64_t *next, uint64_t *dropped);

#endif
