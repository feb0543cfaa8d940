/*
 * plan_parts.h - between the files of the planner: the ways of doing a frame, and what they share.
 */
#ifndef FFTD_FFT_OPENCL_PLAN_PARTS_H
#define FFTD_FFT_OPENCL_PLAN_PARTS_H

#include "fft/iq.h"
#include "fft/opencl/plan.h"
#include "fft/opencl/text.h"

/* Frames that go through all kernels before the next ones do, as their launches see them. */
struct opencl_chunk {
    uint32_t samples_at;           /* in OPENCL_SAMPLES */
    uint32_t frames;               /* of this chunk */
    uint32_t group_frames, groups; /* rows of partial traces, and frames of each */
    uint32_t all_groups;           /* rows that the batch fills: those of its first chunk */
    uint32_t last_frame; /* the batch's last one, counted in this chunk; else UINT32_MAX */
    bool resume;         /* an earlier chunk began the traces */
};

/* One way of doing a frame; a row of the planner's table a strategy. */
struct opencl_way {
    /*
     * Decides what is 0 of the choice, stages, groups, middle_points and tables_points, and adds a
     * kernel a step. 0, or -ENOTSUP.
     */
    int (*plan)(struct opencl_spectrum *s);
    void (*source)(const struct opencl_spectrum *s, struct opencl_text *t);
    void (*tables)(const struct opencl_spectrum *s, struct iq *tables); /* behind the window */
    /* Step number `step` of a chunk, of as many as kernels were added. */
    void (*step)(const struct opencl_spectrum *s, const struct opencl_chunk *c, uint32_t step,
                 struct opencl_launch *out);
    uint32_t (*steps)(const struct opencl_spectrum *s);
    bool native_twiddles; /* it can compute them */
};

extern const struct opencl_way opencl_way_passes, opencl_way_digitrev, opencl_way_local,
    opencl_way_fourstep, opencl_way_whole;

/* The way of s->choice.strategy, which is decided. */
const struct opencl_way *opencl_way_of(const struct opencl_spectrum *s);

/* ---- numbers ----------------------------------------------------------------------------- */

static inline uint32_t least(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

static inline uint32_t most(uint64_t a, uint64_t b)
{
    return (uint32_t)(a > b ? a : b);
}

/* Parts of at most `part` that make `whole`. */
static inline uint32_t parts(uint64_t whole, uint64_t part)
{
    return (uint32_t)((whole + part - 1) / part);
}

/* ---- stages ------------------------------------------------------------------------------ */

/*
 * Cuts n, a power of two, into as few passes as max_radix allows, of radices as even as can be, the
 * larger ones first. Twiddle tables follow one another from twiddles_at on; returns where they end.
 */
uint32_t opencl_stages(struct opencl_stage *stages, uint32_t *count, uint32_t n, uint32_t max_radix,
                       uint32_t columns, uint32_t twiddles_at);
/* The table of one stage: [radix - 1][joined], exp(-2 pi i r k / (radix joined)). */
void opencl_twiddles(const struct opencl_stage *stage, struct iq *to);
/* Those of all stages but the first, which has none: a way's `tables`. */
void opencl_twiddle_tables(const struct opencl_spectrum *s, struct iq *tables);
/* Row r of it, parts apart: [joined] each. */
void opencl_twiddle_parts(const struct opencl_stage *stage, uint32_t r, float *re, float *im);

/* ---- text -------------------------------------------------------------------------------- */

/* What kernels on interleaved points begin with, what passes through memory do, the text of one stage. */
void opencl_interleaved_source(struct opencl_text *t);
void opencl_passes_source(const struct opencl_spectrum *s, struct opencl_text *t);
void opencl_stage_source(struct opencl_text *t, const struct opencl_stage *stage, const char *file);

/* ---- kernels and launches ---------------------------------------------------------------- */

/*
 * So many frames of so many bytes each as stay in half of the device's cache from one kernel to the
 * next, at least 1, unless the choice says.
 */
void opencl_choose_chunk(struct opencl_spectrum *s, uint64_t bytes_a_frame);
const char *opencl_combine_kernel(const struct opencl_spectrum *s); /* which one folds groups */
void opencl_add_kernel(struct opencl_spectrum *s, const char *name);
/* A launch of one dimension: `items` work-items, rounded up to whole work-groups of `group`. */
void opencl_begin(struct opencl_launch *l, uint32_t kernel, uint64_t items, uint32_t group);
void opencl_buffer(struct opencl_launch *l, enum opencl_role role);
void opencl_word(struct opencl_launch *l, uint64_t word);
void opencl_float(struct opencl_launch *l, double value);

/* The arguments of every kernel that folds traces, behind its inputs (spectrum_last.cl). */
void opencl_trace_arguments(const struct opencl_spectrum *s, const struct opencl_chunk *c,
                            struct opencl_launch *l);

/* ---- rows of work-items (group.cl) ------------------------------------------------------- */

enum { OPENCL_FINE_POINTS = 2048 };

/* Work-items of a row whose stages these are. */
uint32_t opencl_row_items(uint32_t length, const struct opencl_stage *stages);
/*
 * Rows of `length` points side by side in a work-group of about `group` work-items, each `across` others
 * or padded; 0: not even one fits into the device.
 */
uint32_t opencl_rows(const struct opencl_profile *profile, uint32_t length,
                     const struct opencl_stage *stages, uint32_t group, bool across);
/* Defines what group.cl's parts have in common, and puts the text of stages 1 and on between two. */
void opencl_row_source(struct opencl_text *t, uint32_t length, const struct opencl_stage *stages,
                       uint32_t count, uint32_t rows, const char *begin, const char *end);

/* POINTS, FORMAT, traces and the places that do not depend on a chunk. */
void opencl_define_job(const struct opencl_spectrum *s, struct opencl_text *t);

#endif
