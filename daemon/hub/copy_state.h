/* copy_state.h - the state of a hub's copies of its sensors' archives. Plain values. */
#ifndef FFTD_DAEMON_HUB_COPY_STATE_H
#define FFTD_DAEMON_HUB_COPY_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/hub/block_check.h"

/* Of one radio. */
struct copy_state {
    bool on;                      /* it has an archive, or had one */
    uint64_t bytes;               /* of its files */
    int64_t oldest_ns, newest_ns; /* Unix times of its rows; 0: there are none */
    uint64_t blocks, duplicates;  /* written by this run; that were there already */
    uint64_t gaps;      /* times that the sensor did not have the block any more where it went on */
    uint64_t malformed; /* replies and blocks */
    uint64_t late;      /* requests without a reply */
    bool failing;       /* the newest block could not be written; it is asked for again */
};

/* Of all radios. */
struct copy_totals {
    bool on; /* the hub keeps archives */
    bool connected;
    uint32_t radios;
    uint64_t blocks, duplicates, gaps, late, bytes; /* bytes: of the blocks */
    uint64_t faults[COPY_FAULTS];
    uint64_t failed;        /* blocks that could not be written, and were asked for again */
    uint64_t dropped;       /* replies that waited without room */
    uint32_t without_place; /* radios that have an archive, and no place here */
    char failure[200];      /* why blocks are not written now; "": they are */
};

#endif
