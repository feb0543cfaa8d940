/*
 * ledger.h - accounts for every sample. Plain numbers, copied by value.
 *
 * At any time   produced = seen + pending + sum of lost[].   At the end, pending is 0.
 * `produced` counts the samples that were delivered, plus the losses that the device reported or
 * that its clock showed.
 */
#ifndef FFTD_DAEMON_STREAM_LEDGER_H
#define FFTD_DAEMON_STREAM_LEDGER_H

#include <stdint.h>

#include "daemon/figure/figure.h"

enum loss {
    LOSS_OVERFLOW, /* the device or its driver overflowed before fftd read it */
    LOSS_OVERRUN,  /* the IQ ring was full of samples that the engine still needed */
    LOSS_GAP,      /* the clock of the device jumped, or the device was away */
    LOSS_RETUNE,   /* discarded while the radio settled after a change */
    LOSS_TAIL,     /* the rest of a segment (before a mark or the end) that is shorter than a frame,
                      and samples that a stop left without analysis */
    LOSS_CAUSES
};

struct ledger {
    uint64_t produced;          /* samples */
    uint64_t seen;              /* samples that are in at least one frame of a line */
    uint64_t lost[LOSS_CAUSES]; /* samples, as far as known */
    /* Times that samples were lost. The number of samples may be unknown (0). */
    uint64_t events[LOSS_CAUSES];
    /* Of those seen (fft_iq_check): at the converter's limit; beyond full scale; NaN, infinite or
       beyond FFT_IQ_LIMIT, and read as 0. */
    uint64_t clipped, beyond, invalid;
    uint64_t frames, lines;
    uint64_t folded; /* lines folded into the next one because no block was free */
};
extern const struct figure ledger_figures[]; /* of the JSON and the metrics */

/* Samples lost against the will of the user: overflow, overrun and gap. */
uint64_t ledger_faults(const struct ledger *l);

const char *loss_name(enum loss cause); /* "overflow" ...: the key in JSON and metrics */

#endif
