/*
 * ddc_plan.h - the filters and the rate of a down-conversion. Pure, any thread.
 *
 * A band is shifted to zero, and decimated by `factor` in up to DDC_STAGES stages. The factor is
 * the largest product of 2, 3 and 5 that leaves the rate at least width / 0.8; it is preferred that
 * the rate is a whole number of Hz. Each stage is a linear-phase low-pass FIR with a Kaiser window
 * (ddc_kaiser.h),
 *
 *     pass band  0 .. width / 2                            within 0.001 dB for all stages together
 *     stop band  from where an alias would fall into the output's rate on    at least 80 dB
 *
 * so that what lies outside of the output's rate is at least 80 dB down after it is folded into it.
 * A stage is planned with 92 dB, and with more where the ripples of the stages would add up to more
 * than 0.001 dB.
 *
 * A channel has a single stage with the requested response:
 *
 *     gauss   |H(f)|^2 = 2^-(2 f / B)^2: 3.01 dB down at +- B/2, noise bandwidth 1.0645 B
 *     flat    a Kaiser window of beta 4.5: 6 dB down at +- B/2, within 0.1 dB up to +- B/4, 49 dB
 *             down from +- 3/4 B on
 *
 * Its output has the lowest rate of at least four times B that a whole factor gives.
 */
#ifndef FFTD_DAEMON_DDC_DDC_PLAN_H
#define FFTD_DAEMON_DDC_DDC_PLAN_H

#include <stdint.h>

enum { DDC_STAGES = 3 };

enum ddc_response { DDC_GAUSS, DDC_FLAT };
#define DDC_RESPONSES "gauss, flat"

struct ddc_stage_plan {
    uint32_t factor;
    uint32_t half;     /* the filter has 2 half + 1 taps */
    double pass, stop; /* edges, in parts of the stage's input rate */
    double beta;       /* of the Kaiser window; 0: the response is Gaussian, B = pass + stop */
};

struct ddc_plan {
    double rate_hz, width_hz;
    uint32_t factor; /* of all stages */
    uint32_t stages; /* 0: a band of nearly the whole rate is shifted alone */
    struct ddc_stage_plan stage[DDC_STAGES];
    /* An output depends on the input samples up to this far before and after its own. */
    uint64_t reach;
};

/* 0 < width_hz <= rate_hz. A channel gets at most 2^30 taps. */
void ddc_plan_band(struct ddc_plan *p, double rate_hz, double width_hz);
void ddc_plan_channel(struct ddc_plan *p, double rate_hz, double width_hz,
                      enum ddc_response response);
double ddc_plan_rate(const struct ddc_plan *p); /* of the output */
/* taps: [2 half + 1], with a sum of 1. */
void ddc_plan_taps(const struct ddc_stage_plan *s, double *taps);

#endif
