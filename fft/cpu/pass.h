/*
 * pass.h - the cpu engine's 1-D pass of a transform (see struct engine_pass): chooses the way.
 *
 *     rows      several rows at once, one in each lane: where they lie beside one another, as the
 *               columns of an array do, or where there are enough of them and splitting is no good
 *     split     one row after the other, its own columns in the lanes
 *     general   one point after the other: what is too short for either
 *
 * Which way it is depends on the pass alone, never on timing. The work is a number of units, as many rows
 * as go at once, each independent of the others: threads take ranges of them, and the bytes are the same
 * for any number of threads.
 */
#ifndef FFTD_FFT_CPU_PASS_H
#define FFTD_FFT_CPU_PASS_H

#include "fft/cpu/lanes.h"
#include "fft/engine.h"
#include "fft/general.h"

/* What a thread writes to while it works. */
struct pass_hand {
    struct split_plan split; /* has its scratch inside */
    void *scratch;           /* of the way */
};

struct cpu_pass {
    const struct lanes_ops *ops;
    uint32_t inner; /* which of the pass's three row loops is in the lanes */
    enum { PASS_GENERAL, PASS_ROWS, PASS_SPLIT } way;
    struct general general;
    struct lanes_plan rows;
    uint32_t threads;
    struct pass_hand *hands; /* [threads] */
};

/*
 * ops: to choose from, NULL last. threads: at most; a short pass takes one. 0 or -ENOMEM; finish
 * follows also after a failed init.
 */
int cpu_pass_init(struct cpu_pass *c, const struct lanes_ops *const *ops,
                  const struct engine_pass *p, uint32_t threads);
void cpu_pass_finish(struct cpu_pass *c);
/* Thread `hand` of c->threads does its units. */
void cpu_pass_run(const struct cpu_pass *c, const struct engine_pass *p, const struct iq *from,
                  struct iq *to, uint32_t hand);

#endif
