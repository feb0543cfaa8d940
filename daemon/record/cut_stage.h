/*
 * cut_stage.h - one decimating filter of a cut. Real and imaginary parts lie apart. One thread.
 */
#ifndef FFTD_DAEMON_RECORD_CUT_STAGE_H
#define FFTD_DAEMON_RECORD_CUT_STAGE_H

#include <stddef.h>

#include "daemon/record/cut_loops.h"
#include "daemon/record/cut_plan.h"

enum { CUT_STAGE_BLOCK = 4096 }; /* samples in one run, at most: they stay in the nearest cache */

struct cut_stage {
    const struct cut_loops *loops;
    struct cut_filter filter;
    size_t length;  /* of the filter, without its padding */
    float *tap;     /* [filter.taps] */
    float *re, *im; /* [room + filter.taps] */
    size_t have, room;
    size_t next; /* of the next output: where in re and im its first tap lies */
};

/* -ENOMEM; finish also after a failure. */
int cut_stage_init(struct cut_stage *s, const struct cut_stage_plan *plan,
                   const struct cut_loops *loops);
void cut_stage_finish(struct cut_stage *s);
/* Starts anew: the next sample is the first one of the first output. */
void cut_stage_begin(struct cut_stage *s);
/* Where the next CUT_STAGE_BLOCK samples are to be written. */
void cut_stage_room(struct cut_stage *s, float **re, float **im);
/* The number of outputs of a run of `count` samples. */
size_t cut_stage_outputs(const struct cut_stage *s, size_t count);
/* Takes `count` samples that were written there. Returns the number of outputs. */
size_t cut_stage_run(struct cut_stage *s, size_t count, float *re, float *im);

#endif
