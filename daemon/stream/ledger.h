/*
 * ledger.h - where every sample went. Plain numbers, copied by value.
 *
 * At every moment   produced = seen + pending + sum of lost[],   and at the end pending is 0.
 * `produced` counts what the radio or the file made, as far as that is known: samples that were
 * delivered plus those that a device reported (or its clock showed) as lost.
 */
#ifndef FFTD_DAEMON_STREAM_LEDGER_H
#define FFTD_DAEMON_STREAM_LEDGER_H

#include <stdint.h>

enum loss {
    LOSS_OVERFLOW, /* the device or its driver ran over before we read */
    LOSS_OVERRUN,  /* the IQ ring was full of samples that the engine had not finished */
    LOSS_GAP,      /* the device's clock jumped, or the device was away */
    LOSS_RETUNE,   /* discarded while the radio settled after a change */
    LOSS_TAIL,     /* left of a segment (before a mark, or the end): shorter than a whole frame;
                      and what was not analysed yet when the daemon was stopped */
    LOSS_CAUSES
};

struct ledger {
    uint64_t produced;          /* samples */
    uint64_t seen;              /* samples that are in at least one frame of a line */
    uint64_t lost[LOSS_CAUSES]; /* samples, as far as known */
    uint64_t
        events[LOSS_CAUSES]; /* how often; an event may have an unknown number of samples (0) */
    uint64_t clipped;        /* samples at a rail, of those seen */
    uint64_t frames, lines;
    uint64_t folded; /* lines that were folded into the next because no block was free */
};

const char *loss_name(enum loss cause); /* "overflow" ...: the key in JSON and metrics */

#endif
