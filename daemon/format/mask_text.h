/*
 * mask_text.h - the points of a mask: upper and lower limits against frequency. Pure, any thread.
 *
 * The text (docs/measurements.md), where # starts a comment and every other line is one of these:
 *
 *     frequency = offset       absolute (default), or offset: counts from the centre of a channel
 *     level = dBc              dBFS (default), dBm, or dBc: relative to the power of the channel
 *     upper  -200k  -60        a point of the upper limit: frequency, level
 *     lower  -25k   -10        of the lower limit
 *
 * The frequencies of each limit rise. Two points at one frequency are a step.
 */
#ifndef FFTD_DAEMON_FORMAT_MASK_TEXT_H
#define FFTD_DAEMON_FORMAT_MASK_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct reason;

enum { MASK_POINTS_MAX = 128, MASK_BYTES_MAX = 1 << 16 };

enum mask_level { MASK_DBFS, MASK_DBC, MASK_DBM };

struct mask_limit {
    size_t count; /* 0: none; otherwise 2 or more */
    struct {
        double hz, db;
    } point[MASK_POINTS_MAX];
};

struct mask_text {
    bool offset; /* frequencies count from the centre */
    enum mask_level level;
    struct mask_limit upper, lower; /* one of them at least */
};

/* Whether the points make a limit: rising, and more than one frequency; or there are none. */
bool mask_limit_valid(const struct mask_limit *limit);
/* `name` begins every error: "NAME:3: ...". 0 or -EINVAL. */
int mask_text_parse(struct mask_text *out, const char *text, size_t size, const char *name,
                    struct reason *why);

#endif
