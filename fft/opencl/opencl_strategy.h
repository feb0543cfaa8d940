/*
 * opencl_strategy.h - a strategy to transform a frame, and what strategies are made of: stages,
 * kernels and launches, butterflies, and rows of work-items. Internal to the planner.
 */
#ifndef FFTD_FFT_OPENCL_OPENCL_STRATEGY_H
#define FFTD_FFT_OPENCL_OPENCL_STRATEGY_H

#include "fft/iq.h"
#include "fft/opencl/opencl_plan.h"
#include "fft/opencl/opencl_text.h"

/* The arguments of the launches of one chunk: frames that pass through all kernels before the next
 * frames start. */
struct opencl_chunk {
    uint32_t samples_at;   /* in OPENCL_SAMPLES */
    uint32_t frames;       /* in this chunk */
    uint32_t group_frames; /* frames folded into one row of partial detectors */
    uint32_t groups;       /* number of these rows */
    uint32_t all_groups;   /* rows that the batch uses: those of its first chunk */
    uint32_t last_frame;   /* index of the last frame of the batch in this chunk; else UINT32_MAX */
    bool resume;           /* continue the detectors of an earlier chunk */
};

/* One strategy to transform a frame. The planner has a table of these. */
struct opencl_strategy_ops {
    /* Fills in the zero fields of the choice, stages, groups, middle_points and tables_points, and
     * adds one kernel for each step. Returns 0 or -ENOTSUP. */
    int (*plan)(struct opencl_spectrum *s);
    void (*source)(const struct opencl_spectrum *s, struct opencl_text *t);
    void (*tables)(const struct opencl_spectrum *s, struct fft_iq *tables); /* after the window */
    /* (optional) The index of sample i's window value, if not i. */
    uint32_t (*window_at)(const struct opencl_spectrum *s, uint32_t i);
    /* Sets *out to step number `step` of a chunk. There is one step for each kernel added. */
    void (*step)(const struct opencl_spectrum *s, const struct opencl_chunk *c, uint32_t step,
                 struct opencl_launch *out);
    uint32_t (*steps)(const struct opencl_spectrum *s);
    bool computes_twiddles; /* supports powers of one root */
    bool stores_half;       /* supports points of 16-bit floats between passes */
};

extern const struct opencl_strategy_ops opencl_strategy_passes, opencl_strategy_digitrev,
    opencl_strategy_local, opencl_strategy_fourstep;

/* The strategy s->choice.strategy, which must be decided. */
const struct opencl_strategy_ops *opencl_strategy_of(const struct opencl_spectrum *s);

/* ---- numbers ----------------------------------------------------------------------------- */

static inline uint32_t min_u32(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

static inline uint32_t max_u32(uint64_t a, uint64_t b)
{
    return (uint32_t)(a > b ? a : b);
}

static inline uint32_t ceil_div(uint64_t dividend, uint64_t divisor)
{
    return (uint32_t)((dividend + divisor - 1) / divisor);
}

/* n > 0. */
static inline uint32_t floor_log2(uint32_t n)
{
    uint32_t bits = 0;
    while (n >> bits > 1)
        bits++;
    return bits;
}

/* ---- stages ------------------------------------------------------------------------------ */

/*
 * Splits n, a power of two, into as few passes as max_radix allows. Radices are as equal as
 * possible, larger ones first. Twiddle tables follow one another from twiddles_at on. Returns the
 * offset of their end.
 */
uint32_t opencl_plan_stages(struct opencl_stage *stages, uint32_t *count, uint32_t n,
                            uint32_t max_radix, uint32_t columns, uint32_t twiddles_at);
/* Fills the table of one stage: [radix - 1][joined], exp(-2 pi i r k / (radix joined)). */
void opencl_fill_twiddles(const struct opencl_stage *stage, struct fft_iq *to);
/* Fills the tables of all stages but the first, which needs none. A strategy may use it as
 * `tables`. */
void opencl_fill_twiddle_tables(const struct opencl_spectrum *s, struct fft_iq *tables);

/* ---- text -------------------------------------------------------------------------------- */

/* Add the text that all kernels on interleaved points need, the text that passes through memory
 * need, and the text of one stage. */
void opencl_interleaved_source(struct opencl_text *t);
void opencl_passes_source(const struct opencl_spectrum *s, struct opencl_text *t);
size_t opencl_point_bytes(const struct opencl_spectrum *s); /* of a point between passes */
/* The power of two in the window that lets points between passes fit 16-bit floats; 1 for others.
 */
double opencl_window_scale(const struct opencl_spectrum *s);
void opencl_stage_source(struct opencl_text *t, const struct opencl_stage *stage, const char *file);

/* ---- kernels and launches ---------------------------------------------------------------- */

/* Chooses chunk_frames, unless the choice has it: the number of frames of bytes_per_frame bytes
 * that stay in half of the device's cache between kernels, at least 1. */
void opencl_choose_chunk(struct opencl_spectrum *s, uint64_t bytes_per_frame);
/* Whether a kernel folds, or reorders, this number of rows of detectors into the result. */
bool opencl_combines(const struct opencl_spectrum *s, uint32_t groups);
/* The kernel that folds groups, and its work-items for each bin (combine_shared). */
const char *opencl_combine_kernel(const struct opencl_spectrum *s);
uint32_t opencl_combine_items(const struct opencl_spectrum *s);
void opencl_add_kernel(struct opencl_spectrum *s, const char *name);
/* Starts a launch of one dimension: `items` work-items, rounded up to whole work-groups of
 * `group`. */
void opencl_init_launch(struct opencl_launch *l, uint32_t kernel, uint64_t items, uint32_t group);
void opencl_add_buffer(struct opencl_launch *l, enum opencl_role role);
void opencl_add_word(struct opencl_launch *l, uint64_t word);
/* The last arguments of a kernel that loads samples. */
void opencl_add_correction(const struct opencl_spectrum *s, struct opencl_launch *l);
void opencl_add_float(struct opencl_launch *l, double value);

/* Adds the arguments that all kernels with detectors have after their inputs (spectrum_last.cl). */
void opencl_add_detector_arguments(const struct opencl_spectrum *s, const struct opencl_chunk *c,
                                   struct opencl_launch *l);

/* ---- butterflies with folded twiddles (butterflies.cl) ------------------------------------ */

uint32_t opencl_root_pairs(uint32_t radix); /* of a later pass */
/* Fills the root table of a pass whose bins are shifted by k1 / n1 bins: [pairs][joined][2]. */
void opencl_fill_root_table(const struct opencl_stage *stage, uint32_t k1, uint32_t n1,
                            struct fft_iq *to);
/* Fills the unshifted root tables of the first `count` stages but the very first, which needs
 * none. */
void opencl_fill_root_tables(const struct opencl_spectrum *s, uint32_t count,
                             struct fft_iq *tables);

/*
 * Adds the butterflies of a first pass on registers c0, c1, ... If windowed, its input is samples
 * x0, x1, ... times the windows v0.x, v0.y, ..., which it reads before anything else.
 * SAMPLES_CONSUMED follows those reads.
 */
void opencl_first_pass_source(struct opencl_text *t, uint32_t radix, bool windowed);
/* Add pass number `pass` of a row with this many registers and work-items. The roots must be
 * declared before the pass. */
void opencl_roots_source(struct opencl_text *t, const struct opencl_stage *stage, uint32_t pass,
                         uint32_t registers, uint32_t items);
void opencl_later_pass_source(struct opencl_text *t, const struct opencl_stage *stage,
                              uint32_t pass, uint32_t registers, uint32_t items);

/* ---- rows of work-items (group.cl) ------------------------------------------------------- */

/* What the text of a kernel on rows depends on. */
struct opencl_row {
    uint32_t length;
    const struct opencl_stage *stages;
    uint32_t count;   /* of stages */
    uint32_t rows;    /* of a work-group */
    bool interleaved; /* points of rows alternate in local memory, else rows are contiguous */
    bool windowed;    /* the input is raw samples */
    bool shifted;     /* the first pass has roots, too, which shift the bins */
    bool prefetch;    /* the samples of the next frame are loaded during this one */
    bool kept;        /* window and roots stay in registers between frames; not if shifted */
    const char *begin, *frame, *end; /* stems of files; frame may be NULL */
};

/*
 * Splits length, a power of two, into as few passes as `points` of a work-item allow. With more
 * than two passes, the first has the largest radix, since its roots are constants. Later radices
 * ascend, since the butterflies of a work-item share roots in early passes. Root tables
 * follow one another from twiddles_at on. Returns the offset of their end.
 */
uint32_t opencl_plan_row_stages(struct opencl_stage *stages, uint32_t *count, uint32_t length,
                                uint32_t points, uint32_t twiddles_at);
/* Does the same for rows whose first pass has roots. */
uint32_t opencl_plan_shifted_stages(struct opencl_stage *stages, uint32_t *count, uint32_t length,
                                    uint32_t points, uint32_t twiddles_at);
/* The number of work-items of a row with these stages. */
uint32_t opencl_row_items(uint32_t length, const struct opencl_stage *stages);
/* An estimate of the 32-bit registers of a work-item: points, detectors, prefetched samples, kept
 * tables, and a reserve. */
uint32_t opencl_row_registers(const struct opencl_row *row, unsigned detectors);
/* The number of rows for a work-group of about `group` work-items. 0: not even one row fits into
 * the device. */
uint32_t opencl_rows_per_group(const struct opencl_profile *profile, const struct opencl_row *row,
                               uint32_t group);
/* The index of sample i's window value in the order in which the `items` work-items of each column
 * read it: [points / 4][items][columns][4]. */
uint32_t opencl_row_window_at(uint32_t i, uint32_t items, uint32_t columns);
/* Add the text before all kernels on rows, and the text of one kernel. */
void opencl_rows_begin_source(struct opencl_text *t);
void opencl_row_source(const struct opencl_row *row, struct opencl_text *t);

#endif
