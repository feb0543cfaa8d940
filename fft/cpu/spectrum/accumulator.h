/*
 * accumulator.h - what one thread folded of one batch.
 *
 * A batch's frames are divided among the threads in order; each folds its own into a share, and the
 * shares of a batch are then merged in the order of the threads. Arrays are in slot order
 * (kernel.h). Sums are kept in float for at most SHARE_BLOCK frames and then moved to double
 * precision, so the error of a sum does not grow with the frames.
 */
#ifndef FFTD_FFT_CPU_SPECTRUM_ACCUMULATOR_H
#define FFTD_FFT_CPU_SPECTRUM_ACCUMULATOR_H

#include "fft/cpu/isa.h"
#include "fft/cpu/memory.h"

enum { SHARE_BLOCK = 64, SHARE_PENDING = 64 };

/* A planned spectrum, as the threads see it. Immutable while they run. */
struct cpu_plan {
    const struct fft_spectrum_plan *plan;
    const struct cpu_isa *isa;
    struct kernel kernel;
    struct density_map map;
};

struct share {
    uint32_t frames;
    struct sink fold; /* NULL where neither planned nor needed by the density */
    double *wide;     /* [n]; NULL if a batch never has more than SHARE_BLOCK frames */
    uint32_t *hits;   /* [columns][levels]; NULL: no density */
    uint32_t pending; /* frames whose levels are known and not counted yet, below SHARE_PENDING */
};

/* What a thread needs while it works on a frame. */
struct cpu_bench {
    void *scratch;    /* of the kernel */
    float *bins;      /* [n]; NULL: no density, or of one bin a column */
    int32_t *peaks;   /* [columns], likewise */
    uint16_t *levels; /* [SHARE_PENDING][map.stride] */
};

int cpu_plan_init(struct cpu_plan *job, const struct cpu_isa *isa,
                  const struct fft_spectrum_plan *plan);
void cpu_plan_finish(struct cpu_plan *job);
size_t cpu_plan_cells(const struct cpu_plan *job); /* of the density; 0: off */

/* Both in the thread's memory; 0 or -ENOMEM. */
int cpu_bench_init(struct cpu_bench *bench, const struct cpu_plan *job, struct cpu_arena *memory);
int share_init(struct share *s, const struct cpu_plan *job, struct cpu_arena *memory);
void share_reset(struct share *s, const struct cpu_plan *job);
void share_add(struct share *s, const struct cpu_plan *job, const struct cpu_bench *bench,
               const void *raw);
/* After the last frame, by the thread that added it. */
void share_end(struct share *s, const struct cpu_plan *job, const struct cpu_bench *bench);
/* A frame was folded by other means (all threads together); what share_add does besides. */
void share_added(struct share *s, const struct cpu_plan *job, const struct cpu_bench *bench);

/* Part `part` of `parts` of something: threads take one each. */
struct portion {
    uint32_t part, parts;
};
struct range {
    size_t first, end;
};
/* Of `count` things: this portion's, in whole cache lines of floats where there are that many. */
struct range portion_of(struct portion p, size_t count);

/* A portion of the slots and the hits; share_close ends the merging: every sum is in fold.sum. */
void share_merge(struct share *into, const struct share *from, const struct cpu_plan *job,
                 struct portion portion);
void share_close(struct share *s, const struct cpu_plan *job, struct portion portion);

#endif
