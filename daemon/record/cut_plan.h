/*
 * cut_plan.h - the filters and the rate that cut a band out of a stream. Pure, any thread.
 *
 * The band is shifted to zero, and decimated by `factor` in up to CUT_STAGES stages. The factor is
 * the largest product of 2, 3 and 5 that leaves the rate at least width / 0.8; it is preferred that
 * the rate is a whole number of Hz. Each stage is a linear-phase low-pass FIR with a Kaiser window,
 *
 *     pass band  0 .. width / 2                            within 0.001 dB for all stages together
 *     stop band  from where an alias would fall into the output's rate on    at least 80 dB
 *
 * so that what lies outside of the output's rate is at least 80 dB down after it is folded into it.
 * Source: J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function",
 * ISCAS 1974: beta and length.
 */
#ifndef FFTD_DAEMON_RECORD_CUT_PLAN_H
#define FFTD_DAEMON_RECORD_CUT_PLAN_H

#include <stdint.h>

enum { CUT_STAGES = 3 };

struct cut_stage_plan {
    uint32_t factor;
    uint32_t half;     /* the filter has 2 half + 1 taps */
    double pass, stop; /* edges, in parts of the stage's input rate */
};

struct cut_plan {
    double rate_hz, width_hz;
    uint32_t factor; /* of all stages */
    uint32_t stages; /* 0: a band of nearly the whole rate is shifted alone */
    struct cut_stage_plan stage[CUT_STAGES];
    /* An output depends on the input samples up to this far before and after its own. */
    uint64_t reach;
};

/* 0 < width_hz <= rate_hz. */
void cut_plan_init(struct cut_plan *p, double rate_hz, double width_hz);
double cut_plan_rate(const struct cut_plan *p); /* of the output */
/* taps: [2 half + 1], with a sum of 1. */
void cut_plan_taps(const struct cut_stage_plan *s, double *taps);

#endif
