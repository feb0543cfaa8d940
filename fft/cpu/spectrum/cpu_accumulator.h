/*
 * cpu_accumulator.h - what workers fold frames into: sums by chunk, the other detectors by worker.
 *
 * The sum of floats depends on their order, so every chunk of a batch has a sum of its own, and the
 * sums are merged in the order of the chunks. Maxima, minima and counts do not depend on the order:
 * each worker has one accumulator of them for all of a batch's chunks that it does. All arrays are
 * in kernel order (cpu_kernel.h).
 *
 * A chunk adds at most CPU_SUM_BLOCK frames in float and then moves the sum to double precision, so
 * the error of a sum does not grow with the frames.
 */
#ifndef FFTD_FFT_CPU_SPECTRUM_CPU_ACCUMULATOR_H
#define FFTD_FFT_CPU_SPECTRUM_CPU_ACCUMULATOR_H

#include "fft/cpu/base/cpu_isa.h"
#include "fft/cpu/base/cpu_memory.h"
#include "fft/cpu/spectrum/cpu_density_map.h"
#include "fft/cpu/spectrum/cpu_kernel.h"

enum { CPU_SUM_BLOCK = 64 };

/* A planned spectrum, as the workers see it. Immutable while they run. */
struct cpu_plan {
    const struct fft_spectrum_config *plan;
    const struct cpu_isa *isa;
    struct kernel kernel;
    struct density_map map;
};

/* One worker's detectors and counts of one batch. */
struct cpu_accumulator {
    uint64_t batch;   /* the number of its batch; 0: none */
    struct sink fold; /* without sum; NULL where neither planned nor needed by the density */
    uint32_t *hits;   /* [columns][levels]; NULL: no density */
    uint32_t pending; /* frames whose levels are not counted yet, below map.frames */
};

/* What a worker writes to while it computes frames. */
struct cpu_workspace {
    void *scratch; /* of the kernel; what all workers share: the points of a group of frames */
    double *wide;  /* [n], zero between chunks; NULL: batches of at most CPU_SUM_BLOCK frames */
    void *rows;    /* scratch of the density; NULL: none, or one with a bin a column */
    void *levels;  /* of the pending frames (cpu_density_map.h) */
};

int cpu_plan_init(struct cpu_plan *plan, const struct cpu_isa *isa,
                  const struct fft_spectrum_config *spectrum);
void cpu_plan_finish(struct cpu_plan *plan);

/* Both take their arrays from `memory`; 0 or -ENOMEM. scratch: bytes. */
int cpu_workspace_init(struct cpu_workspace *w, const struct cpu_plan *plan, size_t scratch,
                       struct cpu_arena *memory);
int cpu_accumulator_init(struct cpu_accumulator *a, const struct cpu_plan *plan,
                         struct cpu_arena *memory);

/* For a batch without hits so far. Before a frame that adds to its extremes, they are cleared. */
void cpu_accumulator_begin(struct cpu_accumulator *a, const struct cpu_plan *plan, uint64_t batch);
void cpu_accumulator_clear(struct cpu_accumulator *a, const struct cpu_plan *plan);

/*
 * After the kernel has folded frame `count` (from 1) of a chunk into a->fold and `sum` (NULL: no
 * mean): widens the sum once a block, and finds the frame's density levels. They stay in the
 * workspace until cpu_accumulator_flush counts them: before the worker's next batch.
 */
void cpu_accumulator_add(struct cpu_accumulator *a, float *sum, uint32_t count,
                         const struct cpu_plan *plan, const struct cpu_workspace *w);
void cpu_accumulator_flush(struct cpu_accumulator *a, const struct cpu_plan *plan,
                           const struct cpu_workspace *w);
/* After a chunk's last frame: `sum` is the sum of all of them. */
void cpu_sum_close(float *sum, const struct cpu_plan *plan, const struct cpu_workspace *w);

struct range {
    size_t first, end;
};

/* Both merge one portion. */
void cpu_sum_merge(float *into, const float *from, const struct cpu_plan *plan,
                   struct portion portion);
void cpu_accumulator_merge(struct cpu_accumulator *into, const struct cpu_accumulator *from,
                           const struct cpu_plan *plan, struct portion portion);

#endif
