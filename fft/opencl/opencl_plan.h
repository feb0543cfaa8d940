/*
 * opencl_plan.h - plans one batch of spectra on an OpenCL device: the program, its kernels, and the
 * order and geometry of their launches. Pure: the planner knows a device by its profile, calls no
 * driver and allocates no memory. Any thread.
 *
 * The path of a batch, on one in-order queue:
 *
 *     span of raw samples  -- copy or map ->  OPENCL_SAMPLES
 *                                             launch 0, 1, ... (opencl_spectrum_launch)
 *     sum, max, min, last, hits  <- read or map  OPENCL_RESULT
 *
 * OPENCL_TABLES is filled once. The other objects belong to one batch in flight. Each is one memory
 * object, passed to kernels whole. Offsets in it are arguments of 32 bits.
 */
#ifndef FFTD_FFT_OPENCL_OPENCL_PLAN_H
#define FFTD_FFT_OPENCL_OPENCL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "fft/fft.h"
#include "fft/opencl/opencl_profile.h"

/* ---- kernels and launches, for spectra and for passes ------------------------------------ */

enum opencl_role {
    OPENCL_SAMPLES, /* spectra */
    OPENCL_TABLES,
    OPENCL_SCRATCH,
    OPENCL_RESULT, /* spectra */
    OPENCL_FROM,   /* passes; the same object as OPENCL_TO if in place */
    OPENCL_TO,
    OPENCL_ROLES
};

enum opencl_kind {
    OPENCL_BUFFER,
    OPENCL_WORD,      /* cl_uint */
    OPENCL_FLOAT,     /* cl_float */
    OPENCL_CORRECTION /* cl_float: number `word` of the batch's correction */
};
enum { OPENCL_CORRECTIONS = 5 /* ii qi qq re im: fft/correction.h */ };

struct opencl_arg {
    enum opencl_kind kind;
    union {
        enum opencl_role role;
        uint32_t word;
        float real;
    } u;
};

enum { OPENCL_ARGS = 32, OPENCL_KERNELS = 24 };

struct opencl_kernel {
    char name[32]; /* in the program of the plan */
};

/* One kernel launch. Launches of a list run in order. */
struct opencl_launch {
    uint32_t kernel; /* index into the kernels of the plan */
    uint32_t dims;
    size_t global[3], local[3]; /* local[0] == 0: the driver chooses */
    uint32_t arg_count;
    struct opencl_arg args[OPENCL_ARGS];
};

/* ---- choices ----------------------------------------------------------------------------- */

enum opencl_strategy {
    OPENCL_AUTO,
    OPENCL_PASSES,    /* one kernel for each pass, from global memory to global memory */
    OPENCL_DIGITREV,  /* digits reversed on load, later passes in place (digitrev_first.cl) */
    OPENCL_LOCAL_MEM, /* one work-group for a frame, exchange through local memory */
    OPENCL_FOURSTEP,  /* columns, then rows, one work-group for each */
    OPENCL_STRATEGIES
};

/* "auto", "passes", "digitrev", "local", "fourstep". */
const char *opencl_strategy_name(enum opencl_strategy strategy);

/* The choices of a plan. 0: the planner decides. */
struct opencl_choice {
    enum opencl_strategy strategy;
    uint32_t max_radix;    /* 2, 4, 8, 16; for local and fourstep 4 .. 32, points of a work-item */
    uint32_t group;        /* most work-items of a work-group */
    uint32_t chunk_frames; /* frames that pass through all kernels before the next frames start */
    uint32_t columns;      /* neighbouring columns of a work-item: 1, 2 */
    uint32_t roots; /* that a butterfly reads from tables: 1, computes its powers; more: all */
    uint32_t half;  /* 1: points between passes as 16-bit floats (passes and digitrev) */
};

/* Prints "local radix=8 group=256" and omits zero fields. Returns as snprintf does. */
int opencl_choice_print(const struct opencl_choice *choice, char *out, size_t size);
bool opencl_choice_parse(struct opencl_choice *out, const char *text); /* false: no valid choice */

/* ---- fused spectra ----------------------------------------------------------------------- */

/* Byte offsets of the parts of a result. OPENCL_ABSENT: not planned. */
#define OPENCL_ABSENT SIZE_MAX
struct opencl_result {
    size_t sum, max, min, last; /* float [n] */
    size_t hits;                /* uint32_t [columns][levels] */
    size_t bytes;
};

enum { OPENCL_PASSES_MAX = 24 };

/* One pass over the points of a frame. */
struct opencl_stage {
    uint32_t radix;
    uint32_t joined;      /* points of the sub-transforms that it joins `radix` by `radix` */
    uint32_t columns;     /* neighbouring columns of a work-item */
    uint32_t twiddles_at; /* offset in the tables, in points */
};

/* A planned spectrum. The first group of fields is for the caller, the rest for the functions
 * below. */
struct opencl_spectrum {
    size_t samples_bytes; /* of the span of max_frames frames */
    size_t tables_bytes;
    size_t scratch_bytes; /* may be 0 */
    struct opencl_result result;
    const char *options; /* of the compiler */
    uint32_t kernel_count;
    struct opencl_kernel kernels[OPENCL_KERNELS];

    struct opencl_profile profile;
    struct fft_spectrum_config spec; /* its window is read by opencl_spectrum_tables only */
    struct opencl_choice choice;     /* as decided */
    uint32_t stage_count;
    struct opencl_stage stages[OPENCL_PASSES_MAX];
    bool prefetch, kept;       /* local: see struct opencl_row in opencl_strategy.h */
    uint32_t split;            /* four steps: points of a column; a row has n / split */
    uint32_t column_stages;    /* ... number of stages of the columns, which come first */
    uint32_t row_roots_at;     /* ... offset of the rows' roots in the tables, in points */
    uint32_t row_roots_points; /* ... number of roots of each row */
    uint32_t rows[2];          /* rows of a work-group, by step */
    uint32_t groups;        /* most rows of partial detectors; 1: none in scratch, unless split */
    uint32_t tables_points; /* of the tables after the window */
    uint32_t scale_at;      /* half: offset of the inverse scale in the tables, in points */
    uint32_t density_rows;  /* work-items that share a column of the density */
    size_t middle_points;   /* at the start of scratch: points between passes */
    size_t partial_at, powers_at; /* in scratch, in floats: [3][groups][n], [chunk_frames][n] */
};

/* spec: a valid plan (checked by spectrum.c). Returns -ENOTSUP if this choice, or this device,
 * cannot do it. */
int opencl_spectrum_plan(struct opencl_spectrum *out, const struct opencl_profile *profile,
                         const struct fft_spectrum_config *spec,
                         const struct opencl_choice *choice);

/* Writes the text of the program, at most size bytes including the 0. Returns its length, as
 * snprintf does. */
size_t opencl_spectrum_source(const struct opencl_spectrum *s, char *out, size_t size);

/* Writes the contents of OPENCL_TABLES: window and twiddles, computed in double. */
void opencl_spectrum_tables(const struct opencl_spectrum *s, void *tables);

/*
 * Sets *out to launch number `index` of a batch of `frames` frames (1 .. max_frames). Returns false
 * if there are no more. samples_at: offset of the first sample of the batch in OPENCL_SAMPLES, in
 * samples. Scratch and result need no initial contents. The launches write the whole result.
 */
bool opencl_spectrum_launch(const struct opencl_spectrum *s, uint32_t samples_at, uint32_t frames,
                            uint32_t index, struct opencl_launch *out);

/* Sets *out to choice number `index` of those worth measuring, with this `half`, the likeliest
 * first. Returns false if there are no more. */
bool opencl_spectrum_candidate(const struct opencl_profile *profile,
                               const struct fft_spectrum_config *spec, uint32_t half,
                               uint32_t index, struct opencl_choice *out);

/* Prints passes, radices, work-groups and bytes of memory traffic for each sample, for people. */
void opencl_spectrum_explain(const struct opencl_spectrum *s, FILE *to);

#endif
