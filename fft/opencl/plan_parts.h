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
struct opencl_strategy_ops {
    /*
     * Decides what is 0 of the choice, stages, groups, middle_points and tables_points, and adds a
     * kernel a step. 0, or -ENOTSUP.
     */
    int (*plan)(struct opencl_spectrum *s);
    void (*source)(const struct opencl_spectrum *s, struct opencl_text *t);
    void (*tables)(const struct opencl_spectrum *s, struct fft_iq *tables); /* behind the window */
    /* (optional) Where sample i's window lies, if not in the order of samples. */
    uint32_t (*window_at)(const struct opencl_spectrum *s, uint32_t i);
    /* Step number `step` of a chunk, of as many as kernels were added. */
    void (*step)(const struct opencl_spectrum *s, const struct opencl_chunk *c, uint32_t step,
                 struct opencl_launch *out);
    uint32_t (*steps)(const struct opencl_spectrum *s);
    bool computes_twiddles; /* by native functions, or from a root of each butterfly */
};

extern const struct opencl_strategy_ops opencl_strategy_passes, opencl_strategy_digitrev,
    opencl_strategy_local, opencl_strategy_fourstep, opencl_strategy_whole;

/* The way of s->choice.strategy, which is decided. */
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
 * Cuts n, a power of two, into as few passes as max_radix allows, of radices as even as can be, the
 * larger ones first. Twiddle tables follow one another from twiddles_at on; returns where they end.
 */
uint32_t opencl_plan_stages(struct opencl_stage *stages, uint32_t *count, uint32_t n,
                            uint32_t max_radix, uint32_t columns, uint32_t twiddles_at);
/* The table of one stage: [radix - 1][joined], exp(-2 pi i r k / (radix joined)). */
void opencl_fill_twiddles(const struct opencl_stage *stage, struct fft_iq *to);
/* Those of all stages but the first, which has none: a way's `tables`. */
void opencl_fill_twiddle_tables(const struct opencl_spectrum *s, struct fft_iq *tables);
/* Row r of it, parts apart: [joined] each. */
void opencl_fill_twiddle_parts(const struct opencl_stage *stage, uint32_t r, float *re, float *im);

/* ---- text -------------------------------------------------------------------------------- */

/* What kernels on interleaved points begin with, what passes through memory do, the text of one
 * stage. */
void opencl_interleaved_source(struct opencl_text *t);
void opencl_passes_source(const struct opencl_spectrum *s, struct opencl_text *t);
void opencl_stage_source(struct opencl_text *t, const struct opencl_stage *stage, const char *file);

/* ---- kernels and launches ---------------------------------------------------------------- */

/*
 * So many frames of so many bytes each as stay in half of the device's cache from one kernel to the
 * next, at least 1, unless the choice says.
 */
void opencl_choose_chunk(struct opencl_spectrum *s, uint64_t bytes_per_frame);
/* So many rows of traces are folded into the result, or put into order there. */
bool opencl_combines(const struct opencl_spectrum *s, uint32_t groups);
const char *opencl_combine_kernel(const struct opencl_spectrum *s); /* which one folds groups */
uint32_t opencl_combine_items(const struct opencl_spectrum *s); /* of a bin, where it has some */
void opencl_add_kernel(struct opencl_spectrum *s, const char *name);
/* A launch of one dimension: `items` work-items, rounded up to whole work-groups of `group`. */
void opencl_init_launch(struct opencl_launch *l, uint32_t kernel, uint64_t items, uint32_t group);
void opencl_add_buffer(struct opencl_launch *l, enum opencl_role role);
void opencl_add_word(struct opencl_launch *l, uint64_t word);
void opencl_add_float(struct opencl_launch *l, double value);

/* The arguments of every kernel that folds traces, behind its inputs (spectrum_last.cl). */
void opencl_add_trace_arguments(const struct opencl_spectrum *s, const struct opencl_chunk *c,
                                struct opencl_launch *l);

/* ---- butterflies with folded twiddles (butterflies.cl) ------------------------------------ */

uint32_t opencl_reverse_bits(uint32_t q, uint32_t radix); /* the bits of q < radix */
uint32_t opencl_root_pairs(uint32_t radix);               /* of a later pass */
/* Of a pass whose bins are shifted by k1 / n1 of one: [pairs][joined][2]. */
void opencl_fill_root_table(const struct opencl_stage *stage, uint32_t k1, uint32_t n1,
                            struct fft_iq *to);
/* Those of the first `count` stages but the very first, which has none, unmoved. */
void opencl_fill_root_tables(const struct opencl_spectrum *s, uint32_t count,
                             struct fft_iq *tables);

/* The butterflies of a pass, on registers c0, c1, ... windowed: of samples x0, x1, ... times the
 * windows v0.x, v0.y, ..., which it takes first of all; SAMPLES_CONSUMED stands behind that. */
void opencl_first_pass_source(struct opencl_text *t, uint32_t radix, bool windowed);
/* Pass number `pass` of a row with so many registers and work-items; its roots are declared first.
 */
void opencl_roots_source(struct opencl_text *t, const struct opencl_stage *stage, uint32_t pass,
                         uint32_t registers, uint32_t items);
void opencl_later_pass_source(struct opencl_text *t, const struct opencl_stage *stage,
                              uint32_t pass, uint32_t registers, uint32_t items);

/* ---- rows of work-items (group.cl) ------------------------------------------------------- */

/* A kernel on rows, for its text. */
struct opencl_row {
    uint32_t length;
    const struct opencl_stage *stages;
    uint32_t count;   /* of stages */
    uint32_t rows;    /* side by side in a work-group */
    bool interleaved; /* each between the others, else one behind the other */
    bool windowed;    /* raw samples come in */
    bool shifted;     /* the first pass has roots, too, so that bins are shifted */
    bool prefetch;    /* the next frame's samples are fetched while this one is worked on */
    bool kept;        /* window and roots stay in registers from frame to frame */
    const char *begin, *frame, *end; /* files of the text; frame: or NULL */
};

/*
 * Cuts length, a power of two, into as few passes as `points` a work-item allow. Of more than two
 * the first one is as large as that, for its roots are constants, and the later the larger: a
 * work-item's butterflies of an early pass have roots in common. Root tables follow one another
 * from twiddles_at on; returns where they end.
 */
uint32_t opencl_plan_row_stages(struct opencl_stage *stages, uint32_t *count, uint32_t length,
                                uint32_t points, uint32_t twiddles_at);
/* The same for rows whose first pass has roots. */
uint32_t opencl_plan_shifted_stages(struct opencl_stage *stages, uint32_t *count, uint32_t length,
                                    uint32_t points, uint32_t twiddles_at);
/* Work-items of a row whose stages these are. */
uint32_t opencl_row_items(uint32_t length, const struct opencl_stage *stages);
/* 32-bit registers that a work-item needs, as an estimate: points, traces, what is prefetch and
 * kept, and some. */
uint32_t opencl_row_registers(const struct opencl_row *row, unsigned traces);
/* Rows for a work-group of about `group` work-items; 0: not even one fits into the device. */
uint32_t opencl_rows_per_group(const struct opencl_profile *profile, const struct opencl_row *row,
                               uint32_t group);
/* Where sample i's window lies as `items` work-items of each column read it: [points /
 * 4][items][columns][4]. */
uint32_t opencl_row_window_at(uint32_t i, uint32_t items, uint32_t columns);
/* What such kernels begin with. */
void opencl_rows_begin_source(struct opencl_text *t);
void opencl_row_source(const struct opencl_row *row, struct opencl_text *t);

/* POINTS, FORMAT, traces and the places that do not depend on a chunk. */
void opencl_define_spectrum(const struct opencl_spectrum *s, struct opencl_text *t);

#endif
