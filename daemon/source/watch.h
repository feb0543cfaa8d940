/*
 * watch.h - decides when a source thread is stuck, and when a device is given up. Plain state.
 */
#ifndef FFTD_DAEMON_SOURCE_WATCH_H
#define FFTD_DAEMON_SOURCE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

enum { WATCH_MAX_ABANDONED = 3 };

struct watch {
    uint64_t tick_ns;    /* of the last call; 0: none */
    uint64_t resumed_ns; /* when the whole process went on after a stop; 0: it never stopped */
    uint64_t abandoned_ns;
    uint32_t abandoned; /* stuck threads, each less than an hour after the one before */
};

/*
 * Call several times a second. True: the last step, at beat_ns, is older than patience_ns. Two
 * seconds without a call mean that the process itself stood still (SIGSTOP, a suspended machine):
 * then the thread gets its patience anew.
 */
bool watch_finds_stuck(struct watch *w, uint64_t now_ns, uint64_t beat_ns, uint64_t patience_ns);

/* Counts an abandoned thread. An hour without one forgives all. True: it was the last of three. */
bool watch_abandon(struct watch *w, uint64_t now_ns);

#endif
