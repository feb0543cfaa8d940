/*
 * sweep.h - plans a sweep: where a radio dwells to receive a span that is wider than its rate.
 *
 * The bins of all dwells lie on one grid: bin k of the span is at low_hz + k * bin_hz, and every
 * centre is a bin. A dwell gives the bins that are in the usable share of the rate, but for those
 * around its centre, where direct-conversion receivers have their DC spike. The dwell beside it
 * gives those. So dwells come in pairs:
 *
 *     bins       | half | half | 2 hole | half |        of a pair; the next pair follows
 *     dwell 2p   |######|   ^  |########|      |        ^ its centre, half + hole from its first
 * bin dwell 2p+1 |      |######|        ^######|
 *
 * half + hole is half of the usable bins. A pair gives 3 half + 2 hole bins, three quarters of what
 * two dwells could give. Pure, any thread.
 */
#ifndef FFTD_DAEMON_STREAM_SWEEP_H
#define FFTD_DAEMON_STREAM_SWEEP_H

#include <stddef.h>

#include "daemon/stream/settings.h"

struct reason;

/* The usable share of the rate by default: beyond it, the filters of radios droop and signals
 * alias. */
#define SWEEP_USABLE 0.8
/* The share that a sweep uses: that of the usable band, or the default if all of it is usable. */
double sweep_usable_share(const struct settings *w);

struct sweep_plan {
    double low_hz, bin_hz;  /* frequency of bin 0, and the distance of two bins */
    uint32_t bins;          /* of the span; even. 0: no sweep */
    uint32_t n, hop;        /* of the frames, in samples */
    uint64_t frames;        /* in one dwell */
    uint64_t dwell_samples; /* (frames - 1) * hop + n */
    uint32_t half, hole;    /* bins, see above */
    uint32_t dwells;
};

/* Bins of the span that one dwell gives. */
struct sweep_piece {
    uint32_t first, bins;
};

/* Frames of n samples at this rate, and the usable share of the rate, 0 .. 1. */
struct sweep_radio {
    uint32_t n;
    double rate_hz, usable;
};

/*
 * Plans the sweep of w->sweep with this radio.
 * Without a sweep in the settings *p is zeroed. -EINVAL with one line in *why (may be NULL): the
 * span fits into one tuning, or has too many bins; *p is zeroed.
 */
int sweep_plan_init(struct sweep_plan *p, const struct settings *w, const struct sweep_radio *radio,
                    struct reason *why);
bool sweep_plan_equal(const struct sweep_plan *a, const struct sweep_plan *b);

double sweep_center_hz(const struct sweep_plan *p, uint32_t dwell);
/* Frequency of the span's middle, bins / 2 * bin_hz above low_hz; and its width. */
double sweep_span_center_hz(const struct sweep_plan *p);
double sweep_span_hz(const struct sweep_plan *p);
/* The dwell that was meant with this centre, which the radio reports; `dwells`: none. */
uint32_t sweep_find_dwell(const struct sweep_plan *p, double center_hz);
/* Pieces of a dwell, at most two. Those of all dwells cover each bin exactly once. */
unsigned sweep_pieces(const struct sweep_plan *p, uint32_t dwell, struct sweep_piece out[2]);

/* Reads "100M:1G". 0, or -EINVAL: not of this form, or low >= high. "": none, both are 0. */
int sweep_span_parse(const char *text, struct span *out);

#endif
