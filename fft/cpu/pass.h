/*
 * pass.h - the cpu engine's 1-D pass of a transform (see struct engine_pass): chooses the way.
 *
 *     rows      several rows at once, one in each lane: where they lie beside one another, as the
 *               columns of an array do, or where there are enough of them and splitting is no good
 *     split     one row after the other, its own columns in the lanes
 *     general   one point after the other: what is too short for either
 *
 * On the caller's thread. Which way it is depends on the pass alone, never on timing.
 */
#ifndef FFTD_FFT_CPU_PASS_H
#define FFTD_FFT_CPU_PASS_H

#include "fft/cpu/lanes.h"
#include "fft/engine.h"
#include "fft/general.h"

struct cpu_pass {
    const struct lanes_ops *ops;
    uint32_t inner; /* which of the pass's three row loops is in the lanes */
    enum { PASS_GENERAL, PASS_ROWS, PASS_SPLIT } way;
    struct general general;
    struct lanes_plan rows;
    struct split_plan split;
    void *scratch; /* of the way */
};

/* ops: to choose from, NULL last. 0 or -ENOMEM; finish follows also after a failed init. */
int cpu_pass_init(struct cpu_pass *c, const struct lanes_ops *const *ops,
                  const struct engine_pass *p);
void cpu_pass_finish(struct cpu_pass *c);
void cpu_pass_run(struct cpu_pass *c, const struct engine_pass *p, const struct iq *from,
                  struct iq *to);

#endif
