/*
 * plan.h - what an OpenCL device is told to do: the program, its kernels, and their order and
 * geometry for one batch of spectra. Pure: it knows a device by its profile, calls no driver and
 * takes no memory. Any thread.
 *
 * The way of a batch, on one in-order queue:
 *
 *     span of raw samples  -- copy or map ->  OPENCL_SAMPLES
 *                                             launch 0, 1, ... (opencl_spectrum_launch)
 *     sum, max, min, last, hits  <- read or map  OPENCL_RESULT
 *
 * OPENCL_TABLES is filled once; the others belong to one batch in flight. Each is one memory
 * object, given to kernels whole: places in it are words among the arguments.
 */
#ifndef FFTD_FFT_OPENCL_PLAN_H
#define FFTD_FFT_OPENCL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "fft/fft.h"
#include "fft/opencl/profile.h"

/* ---- kernels and launches, for spectra and for passes ------------------------------------ */

enum opencl_role {
    OPENCL_SAMPLES, /* spectra */
    OPENCL_TABLES,
    OPENCL_SCRATCH,
    OPENCL_RESULT, /* spectra */
    OPENCL_FROM,   /* passes; in place the same object as OPENCL_TO */
    OPENCL_TO,
    OPENCL_ROLES
};

enum opencl_kind { OPENCL_BUFFER, OPENCL_WORD /* cl_uint */, OPENCL_FLOAT /* cl_float */ };

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
    char name[32]; /* in the plan's program */
};

/* One kernel launch; those of one list run each after the one before. */
struct opencl_launch {
    uint32_t kernel; /* index into the plan's kernels */
    uint32_t dims;
    size_t global[3], local[3]; /* local[0] == 0: the driver chooses */
    uint32_t arg_count;
    struct opencl_arg args[OPENCL_ARGS];
};

/* ---- choices ----------------------------------------------------------------------------- */

enum opencl_strategy {
    OPENCL_AUTO,
    OPENCL_PASSES,    /* a kernel a pass, from global memory to global memory */
    OPENCL_DIGITREV,  /* digits reversed on load, later passes in place (document 001) */
    OPENCL_LOCAL_MEM, /* a frame in one work-group, exchanged through local memory */
    OPENCL_FOURSTEP,  /* columns, then rows, each in one work-group */
    OPENCL_WHOLE,     /* a frame in one work-item: for processors with caches and wide vectors */
    OPENCL_STRATEGIES
};

/* "auto", "passes", "digitrev", "local", "fourstep", "whole". */
const char *opencl_strategy_name(enum opencl_strategy strategy);

/* What may be chosen about a plan; 0: the planner decides. */
struct opencl_choice {
    enum opencl_strategy strategy;
    uint32_t max_radix;    /* 2, 4, 8, 16; local and fourstep 4 .. 64, the points of a work-item */
    uint32_t group;        /* work-items of a work-group, at most */
    uint32_t chunk_frames; /* frames that go through all kernels before the next ones do */
    uint32_t columns;      /* neighbouring columns of a work-item: 1, 2, 4, 8 */
    uint32_t native;       /* 1: twiddles by native functions, where they are good (accuracy.h) */
    uint32_t roots; /* read from tables by a butterfly: 1, the others are its powers; more: all */
};

/* "local radix=8 group=256"; what is 0 is left out. Returns as snprintf does. */
int opencl_choice_print(const struct opencl_choice *choice, char *out, size_t size);
bool opencl_choice_parse(struct opencl_choice *out, const char *text); /* false: not such a text */

/* ---- fused spectra ----------------------------------------------------------------------- */

/* Byte offsets of the parts of a result; OPENCL_ABSENT where not planned. */
#define OPENCL_ABSENT SIZE_MAX
struct opencl_result {
    size_t sum, max, min, last; /* float [n] */
    size_t hits;                /* uint32_t [columns][levels] */
    size_t bytes;
};

enum { OPENCL_PASSES_MAX = 24 };

/* One pass over the points of a frame. */
struct opencl_stage {
    uint32_t radix,
        joined;           /* it makes sub-transforms of radix * joined points of those of joined */
    uint32_t columns;     /* neighbouring columns a work-item does */
    uint32_t twiddles_at; /* in the tables, in points */
};

/* A planned spectrum: sizes and kernels for the caller, the rest for the functions below. */
struct opencl_spectrum {
    size_t samples_bytes; /* the span of max_frames frames */
    size_t tables_bytes;
    size_t scratch_bytes; /* may be 0 */
    struct opencl_result result;
    const char *options; /* to build the program with */
    uint32_t kernel_count;
    struct opencl_kernel kernels[OPENCL_KERNELS];

    struct opencl_profile profile;
    struct fft_spectrum_plan spec; /* the window is read by opencl_spectrum_tables only */
    struct opencl_choice choice;   /* as decided */
    uint32_t stage_count;
    struct opencl_stage stages[OPENCL_PASSES_MAX];
    bool prefetch, kept;       /* local: plan_parts.h's struct opencl_row */
    uint32_t split;            /* four steps: points of a column; n / split of a row */
    uint32_t column_stages;    /* ... the first so many of the stages */
    uint32_t row_roots_at;     /* ... where the rows' roots are, in points, */
    uint32_t row_roots_points; /* ... so many of each row */
    uint32_t rows[2];          /* rows side by side in a work-group, by step */
    uint32_t groups;        /* rows of partial traces, at most; 1: none in scratch, unless split */
    uint32_t tables_points; /* of the tables, behind the window */
    size_t middle_points;   /* at the front of scratch: frames on their way */
    size_t partial_at, powers_at; /* in scratch, floats: [3][groups][n], [chunk_frames][n] */
};

/* A valid plan (spectrum.c checked it). -ENOTSUP: not by this choice, or not on this device. */
int opencl_spectrum_plan(struct opencl_spectrum *out, const struct opencl_profile *profile,
                         const struct fft_spectrum_plan *spec, const struct opencl_choice *choice);

/* The program's text, as snprintf does: returns its length, writes at most size bytes with the 0.
 */
size_t opencl_spectrum_source(const struct opencl_spectrum *s, char *out, size_t size);

/* Writes what belongs into OPENCL_TABLES: window and twiddles, computed in double. */
void opencl_spectrum_tables(const struct opencl_spectrum *s, void *tables);

/*
 * Launch number `index` of a batch of `frames` frames (1 .. max_frames); false: there are no more.
 * samples_at: the batch's first sample in OPENCL_SAMPLES, counted in samples. Scratch and result
 * may hold anything at first; everything in the result is written.
 */
bool opencl_spectrum_launch(const struct opencl_spectrum *s, uint32_t samples_at, uint32_t frames,
                            uint32_t index, struct opencl_launch *out);

/* Choices worth measuring, the likeliest first; false: there are no more. */
bool opencl_spectrum_candidate(const struct opencl_profile *profile,
                               const struct fft_spectrum_plan *spec, uint32_t index,
                               struct opencl_choice *out);

/* Passes, radices, work-groups and bytes a sample, for people. */
void opencl_spectrum_explain(const struct opencl_spectrum *s, FILE *to);

#endif
