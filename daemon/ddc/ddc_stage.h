/*
 * ddc_stage.h - one decimating filter of a down-converter. Real and imaginary parts lie apart. One
 * thread.
 */
#ifndef FFTD_DAEMON_DDC_DDC_STAGE_H
#define FFTD_DAEMON_DDC_DDC_STAGE_H

#include <stddef.h>

#include "daemon/ddc/ddc_loops.h"
#include "daemon/ddc/ddc_plan.h"

enum { DDC_STAGE_BLOCK = 4096 }; /* samples in one call, at most: they stay in the nearest cache */

struct ddc_stage {
    const struct ddc_loops *loops;
    struct ddc_filter filter;
    size_t length;  /* of the filter, without its padding */
    float *tap;     /* [filter.taps] */
    float *re, *im; /* [capacity + filter.taps] */
    size_t have, capacity;
    size_t next; /* of the next output: where in re and im its first tap lies */
};

/* -ENOMEM; finish also after a failure. */
int ddc_stage_init(struct ddc_stage *s, const struct ddc_stage_plan *plan,
                   const struct ddc_loops *loops);
/* As init, with any taps: [length]. Output i is the sum of tap[k] * input i * factor + k. */
int ddc_stage_init_taps(struct ddc_stage *s, const double *tap, size_t length, uint32_t factor,
                        const struct ddc_loops *loops);
void ddc_stage_finish(struct ddc_stage *s);
/* Starts anew: the next sample is the first one of the first output. */
void ddc_stage_begin(struct ddc_stage *s);
/* Where the next DDC_STAGE_BLOCK samples are to be written. */
void ddc_stage_input(struct ddc_stage *s, float **re, float **im);
/* The number of outputs of `count` samples. */
size_t ddc_stage_outputs(const struct ddc_stage *s, size_t count);
/* Takes `count` samples that were written there. Returns the number of outputs. */
size_t ddc_stage_run(struct ddc_stage *s, size_t count, float *re, float *im);

#endif
