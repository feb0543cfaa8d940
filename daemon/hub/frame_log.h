/*
 * frame_log.h - the recent frames of a radio, for its viewers. Loop thread.
 *
 * Frames are numbered from 0. The oldest one is complete, and so each one has the complete frame
 * that it needs before it. The bytes of a log are bounded; the oldest frames leave, up to the next
 * complete one.
 *
 * A viewer has a cursor: its next frame. One that is new begins with the newest complete frame, or
 * in the past. One that falls too far behind continues with the newest complete frame. In the past
 * it is behind by its own request: until it has caught up, it may be as far behind as the log
 * reaches.
 */
#ifndef FFTD_DAEMON_HUB_FRAME_LOG_H
#define FFTD_DAEMON_HUB_FRAME_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/wire/ws_message.h"

enum {
    FRAME_LOG_BYTES = 4 << 20,    /* at most, including the overhead of the frames */
    FRAME_LOGS_BYTES = 256 << 20, /* of all logs, which share it equally */
    FRAME_LOG_RUNS = 8, /* complete frames that a viewer may be behind, with those after each */
};

struct frame_log_entry {
    struct ws_message *frame;
    int64_t time_ns; /* Unix time when it came, or that of the frame before, if that is later */
    uint64_t start;  /* number of the complete frame that it needs: itself, or one before */
};

/* Zeroed: empty. */
struct frame_log {
    struct frame_log_entry *entries; /* [capacity], a ring; frame i is at i % capacity */
    uint32_t capacity;
    uint64_t first, end;             /* numbers of the oldest frame, and after the newest */
    uint64_t recent[FRAME_LOG_RUNS]; /* the newest complete frames, oldest first */
    uint32_t recents;
    size_t bytes;
    uint64_t *all_bytes; /* of all logs */
};

/* The bytes that each of `logs` logs may have. */
size_t frame_log_share(uint32_t logs);
/*
 * Takes over the frame, which came at time_ns (Unix). Older ones leave where it has no room within
 * bytes_max. False: it is not kept, because no complete frame is before it, or there is no memory.
 */
bool frame_log_add(struct frame_log *l, struct ws_message *frame, bool complete, int64_t time_ns,
                   size_t bytes_max);
void frame_log_trim(struct frame_log *l, size_t bytes_max);
void frame_log_clear(struct frame_log *l);  /* later frames have later numbers still */
void frame_log_finish(struct frame_log *l); /* zeroed is fine */

struct frame_cursor {
    uint64_t next;  /* number of the next frame */
    uint64_t live;  /* frames before it are the past: they do not count if they are left out */
    uint64_t until; /* it has caught up by then, or counts as too late; next: it has */
};

/*
 * Where a new viewer begins. past_ns: so that it gets all frames that came in this time; 0: with
 * the newest complete frame. Without one, at the end.
 */
struct frame_cursor frame_log_start(const struct frame_log *l, int64_t now_ns, int64_t past_ns);
/*
 * The next frame of a viewer, as a reference; NULL: none yet. The cursor goes to the frame after
 * it. *dropped grows by the frames that the viewer missed.
 */
struct ws_message *frame_log_next(struct frame_log *l, struct frame_cursor *c, uint64_t *dropped);

#endif
