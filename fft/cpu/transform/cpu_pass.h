/*
 * cpu_pass.h - the cpu engine's 1-D pass of a transform (struct engine_pass): chooses a strategy.
 *
 *     rows      several rows at once, one in each lane: adjacent rows, such as the columns of an
 *               array, or many rows of a length that does not split well
 *     split     one row after the other, its own columns in the lanes
 *     general   one point after the other: rows too short for the other two
 *
 * The strategy depends on the pass alone. The work is a number of units, as many rows as go at
 * once, independent of each other: workers take ranges of units. If fewer units than threads are
 * left over and a row is long enough, workers take parts of each of these units: its columns first,
 * then its rows. The bytes are the same for any number of threads.
 *
 * A real row of n reals is a complex one of n/2 points (n odd: n), which cpu_pass_row.c loads and
 * stores.
 */
#ifndef FFTD_FFT_CPU_TRANSFORM_CPU_PASS_H
#define FFTD_FFT_CPU_TRANSFORM_CPU_PASS_H

#include "fft/cpu/transform/cpu_lanes.h"
#include "fft/engine.h"
#include "fft/general.h"

/* What a worker writes to. */
struct pass_workspace {
    struct cpu_arena memory;
    struct split_scratch split;
    void *scratch;       /* of the strategies rows and general */
    struct fft_iq *unit; /* [rows of a unit][points]: rows that are loaded or stored; may be NULL */
};

struct cpu_pass {
    struct cpu_arena memory;   /* tables */
    struct engine_pass points; /* the pass; for a real one the complex pass that computes it */
    float scale;               /* of its results */
    bool loads, stores;        /* rows go through a workspace's `unit` before, after */
    const struct lanes_ops *ops;
    uint32_t inner; /* which of the pass's three row loops is in the lanes */
    enum { PASS_GENERAL, PASS_ROWS, PASS_SPLIT } strategy;
    struct general general;
    struct lanes_plan rows;
    struct split_plan split;
    struct fft_iq *roots; /* of a real pass, n even; see struct halves */
    uint32_t threads;
    uint32_t parts;                    /* of the units that one worker each does, at most */
    bool divides;                      /* units that are left over, among the workers */
    struct pass_workspace *workspaces; /* [threads] */
};

/*
 * ops: to choose from, NULL last. threads: at most; a short pass takes one. 0 or -ENOMEM; finish
 * follows also after a failed init.
 */
int cpu_pass_init(struct cpu_pass *c, const struct lanes_ops *const *ops,
                  const struct engine_pass *p, uint32_t threads);
void cpu_pass_finish(struct cpu_pass *c);

/* The progress of a pass. Set the first three members; cpu_pass_begin sets the others. */
struct cpu_pass_progress {
    const struct engine_pass *pass;
    const void *from;
    void *to;
    enum { PASS_UNITS, PASS_LOAD, PASS_COLUMNS, PASS_SPLIT_ROWS, PASS_STORE } step;
    size_t units, whole, unit; /* all; units done by one worker each; the divided one */
    uint32_t parts;            /* of PASS_UNITS */
};

/* The steps of a task (cpu_workers.h): parts of the first one, one part, parts of the next one or
 * 0. */
uint32_t cpu_pass_begin(const struct cpu_pass *c, struct cpu_pass_progress *progress);
void cpu_pass_part(const struct cpu_pass *c, const struct cpu_pass_progress *progress,
                   uint32_t worker, uint32_t part);
uint32_t cpu_pass_next(const struct cpu_pass *c, struct cpu_pass_progress *progress);

/* ---- cpu_pass_row.c: rows between the arrays and a unit ---------------------------------------
 */

/* Sets c->points, c->loads and c->stores; those of a complex pass are false until it has a
 * strategy. */
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
