/*
 * match.h - finds the times in which a condition is met, from decisions about frames.
 *
 * A match begins with the first frame that meets the condition once it has done so for `least`
 * samples, from the start of that frame to the start of a later one. It ends after the last frame
 * that meets it, when none has done so for more than `gap` samples. Pure, any thread.
 */
#ifndef FFTD_DAEMON_TRIGGER_MATCH_H
#define FFTD_DAEMON_TRIGGER_MATCH_H

#include <stdbool.h>
#include <stdint.h>

/* Consecutive frames that all meet the condition, or all do not. */
struct match_frames {
    uint64_t position; /* of the first sample of the first frame */
    uint64_t count;    /* of frames, 1 or more */
    uint64_t n, hop;   /* samples of a frame; from one to the next */
    bool met;
};

enum match_change { MATCH_NOTHING, MATCH_BEGINS, MATCH_ENDS };

/* Zeroed, but for the lengths, at first. */
struct match_finder {
    uint64_t least, gap; /* samples */
    bool active;         /* a frame met the condition, and no gap has followed */
    bool begun;          /* for long enough */
    uint64_t start;      /* of the first of these frames */
    uint64_t last;       /* start of the last one */
    uint64_t n, hop;     /* of the last one */
};

/* The next frames; the match is start .. match_end. */
enum match_change match_add(struct match_finder *s, const struct match_frames *frames);
/* No frames follow, or they are of another stream. MATCH_ENDS or MATCH_NOTHING. */
enum match_change match_break(struct match_finder *s);
uint64_t match_end(const struct match_finder *s); /* after the last sample of the last frame */

#endif
