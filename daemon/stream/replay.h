/*
 * replay.h - the replay of a recording: what control asks for, its state, and where samples come
 * from in the recording. Plain values.
 *
 * Positions count the samples of the recording from its first one. Samples that are missing in the
 * recording have no position.
 */
#ifndef FFTD_DAEMON_STREAM_REPLAY_H
#define FFTD_DAEMON_STREAM_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reason;

#define REPLAY_SPEED_MIN 0.1
#define REPLAY_SPEED_MAX 16.0
#define REPLAY_TO_END    UINT64_MAX

/* Complete: the last request wins. */
struct replay_request {
    bool paused, loop;
    double speed;        /* 1: that of the recording; 0: as fast as the readers accept */
    double from_s, to_s; /* the part that is replayed; to_s 0: to the end */
    uint32_t seeks;      /* counts the seeks asked for */
    double seek_s;       /* of the newest: its position */
};

struct replay_state {
    bool active;       /* the source replays a recording */
    bool controllable; /* it runs in real time: it can be paused, and its speed can change */
    bool seekable;     /* no pipe */
    bool paused, loop;
    bool ended; /* all of the part was read */
    double speed;
    double rate_hz;    /* samples in a second of the recording */
    uint64_t position; /* of the next sample */
    uint64_t samples;  /* of the recording; 0: not known */
    uint64_t first;    /* of the part that is replayed */
    uint64_t end;      /* position after it; REPLAY_TO_END: the end of a pipe */
    uint32_t seeks;    /* of the request that is in force */
};

/* Why an anchor is where it is. */
enum replay_jump {
    REPLAY_FOLLOWS, /* the start, or the next piece of the recording */
    REPLAY_SEEK,
    REPLAY_LOOP /* the part starts again */
};

/* Ties one sample to its position. The samples after it follow in the recording, too. */
struct replay_anchor {
    bool set; /* false: the samples come from no recording */
    enum replay_jump jump;
    uint64_t position;
    bool has_time;
    int64_t time_ns; /* Unix time of its recording, not of its replay */
};

/* Samples of the recording that the part leaves out; 0 if its length is not known. */
uint64_t replay_left_out(const struct replay_state *r);

/* 0: the request can be met. -EINVAL, -ENOTSUP: it cannot, with one line in *why. */
int replay_check(const struct replay_state *now, const struct replay_request *want,
                 struct reason *why);

#endif
