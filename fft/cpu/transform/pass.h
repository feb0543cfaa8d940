/*
 * pass.h - the cpu engine's 1-D pass of a transform (see struct engine_pass): chooses the way.
 *
 *     rows      several rows at once, one in each lane: where they lie beside one another, as the
 *               columns of an array do, or where there are enough of them and splitting is no good
 *     split     one row after the other, its own columns in the lanes
 *     general   one point after the other: what is too short for either
 *
 * Which way it is depends on the pass alone, never on timing. The work is a number of units, as
 * many rows as go at once, each independent of the others: threads take ranges of them. Units that
 * are left over, fewer than threads, are done by all together where a row is long enough to be
 * divided: its columns first, then, when all have met, its rows. The bytes are the same for any
 * number of threads.
 *
 * Real rows of n reals are complex ones of n/2 points (n odd: n), which pass_row.c loads and
 * stores.
 */
#ifndef FFTD_FFT_CPU_TRANSFORM_PASS_H
#define FFTD_FFT_CPU_TRANSFORM_PASS_H

#include "fft/cpu/threads/workers.h"
#include "fft/cpu/transform/lanes.h"
#include "fft/engine.h"
#include "fft/general.h"

/* What a thread writes to while it works. */
struct pass_hand {
    struct cpu_arena memory;
    struct split_scratch split;
    void *scratch; /* of the way, but for split */
    struct fft_iq
        *unit; /* [rows of a unit][points]: on the way to or from the arrays; may be NULL */
};

struct cpu_pass {
    struct cpu_arena memory;   /* tables */
    struct engine_pass points; /* complex: the pass, or what is done for a real one */
    bool loads, stores;        /* rows go through a hand's `unit` before, behind */
    const struct lanes_ops *ops;
    uint32_t inner; /* which of the pass's three row loops is in the lanes */
    enum { PASS_GENERAL, PASS_ROWS, PASS_SPLIT } way;
    struct general general;
    struct lanes_plan rows;
    struct split_plan split;
    struct fft_iq *roots; /* of a real pass, n even; see struct halves */
    uint32_t threads;
    bool together;           /* units that are left over are done by all threads */
    struct pass_hand *hands; /* [threads] */
};

/*
 * ops: to choose from, NULL last. threads: at most; a short pass takes one. 0 or -ENOMEM; finish
 * follows also after a failed init.
 */
int cpu_pass_init(struct cpu_pass *c, const struct lanes_ops *const *ops,
                  const struct engine_pass *p, uint32_t threads);
void cpu_pass_finish(struct cpu_pass *c);
/* Thread `hand` of c->threads on its way through a pass. */
struct pass_run {
    const struct engine_pass *pass;
    const void *from;
    void *to;
    struct crew *crew; /* of these threads, or NULL where there is one */
    uint32_t hand;
};

void cpu_pass_run(const struct cpu_pass *c, const struct pass_run *run);

/* ---- pass_row.c: rows on their way between the arrays and a unit -------------------------- */

/* Which, for a real pass the complex one that is done for it. Needs the way of complex ones. */
void cpu_pass_describe(struct cpu_pass *c, const struct engine_pass *p);
int cpu_pass_take_roots(struct cpu_pass *c, const struct engine_pass *p); /* 0 or -ENOMEM */

/* Where a row is: elements of a side (engine.h) are reals or points. */
const void *cpu_pass_in(const struct engine_pass *p, const void *base, size_t at);
void *cpu_pass_out(const struct engine_pass *p, void *base, size_t at);

/* A row, or `part` of its `parts`. */
struct piece {
    uint32_t part, parts;
};

void cpu_pass_load(const struct cpu_pass *c, const struct engine_pass *p, const void *from,
                   struct fft_iq *row, struct piece piece);
void cpu_pass_store(const struct cpu_pass *c, const struct engine_pass *p, const struct fft_iq *row,
                    void *to, struct piece piece);

#endif
