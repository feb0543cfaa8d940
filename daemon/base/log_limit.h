/* log_limit.h - finds log lines that repeat, and counts them. Pure; the caller locks. */
#ifndef FFTD_DAEMON_BASE_LOG_LIMIT_H
#define FFTD_DAEMON_BASE_LOG_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOG_LIMIT_LINES = 16, LOG_LIMIT_TEXT = 256 };

/* The lines seen last; zeroed: none. */
struct log_limit {
    struct log_limit_line {
        char text[LOG_LIMIT_TEXT]; /* cut; "": free */
        int priority;
        uint64_t written_ns, seen_ns;
        uint64_t repeats; /* since it was written */
    } lines[LOG_LIMIT_LINES];
};

/*
 * True: write the line now. *repeats is how often it came since it was last written, ten minutes
 * ago or earlier. False: it is counted. The seventeenth different line takes the place of the one
 * that was not seen for the longest time.
 */
bool log_limit_admits(struct log_limit *l, int priority, const char *text, uint64_t now_ns,
                      uint64_t *repeats);

#endif
