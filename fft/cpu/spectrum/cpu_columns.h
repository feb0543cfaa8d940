/*
 * cpu_columns.h - the parts of the fast kernel: its plan, its levels and its leaves.
 *
 * cpu_columns.c explains the algorithm and the letters. Everything here is compiled once for each
 * instruction set and depends on the number of lanes.
 */
#ifndef FFTD_FFT_CPU_SPECTRUM_CPU_COLUMNS_H
#define FFTD_FFT_CPU_SPECTRUM_CPU_COLUMNS_H

#include "fft/cpu/base/cpu_vec.h"
#include "fft/cpu/spectrum/cpu_kernel.h"
#include "fft/cpu/transform/cpu_lanes.h"

/*
 * A leaf is LEAF_ROWS rows of LANES columns. 8 complex rows fill the 16 registers of AVX2; with 4
 * lanes 16 rows spill, but halve the passes.
 */
#if CPU_LANES == 8
enum { LEAF_ROWS = 8 };
#else
enum { LEAF_ROWS = 16 };
#endif
enum { LEAF = LEAF_ROWS * LANES };

/* Rows a power of two apart would all map to the same few sets of the cache. */
enum { PADDED_ROW = LEAF_ROWS + 1 };

/*
 * The radix of one level: two steps of 16. The first level also streams samples and results, so its
 * scratch takes half of an L1 of 32 KiB; in one as large as L1, collisions cost up to a third of
 * the speed, differently in every process.
 */
enum { MAX_RADIX = 256, MAX_FIRST = CPU_LANES == 16 ? 128 : MAX_RADIX };

/* One level of column passes: `radix` rows of `blocks` vectors; radix = a * b. */
struct level {
    uint32_t radix, a, b; /* b = 1: a single step */
    uint32_t blocks;
    float *inner; /* [b][a - 1] pairs: between the two steps; b > 1 */
    float *outer; /* [blocks][radix - 1] pairs, or [blocks][a][b] of two steps: after the level */
};

struct columns_plan {
    bool by_fours;              /* column i of a vector is in cpu_lane_of_point(i), not in lane i */
    struct level first, second; /* radix 1: no such level */
    size_t row_stride;          /* vectors from one row to the next after the first level */
    struct cvec *leaf;          /* [LEAF_ROWS]: the twiddles within a leaf */
    struct cvec *lanes;         /* [leaves], or [leaves][LEAF_ROWS] with those of `leaf` included */
    bool whole_table;           /* the second form of lanes */
};

/* ---- cpu_columns_plan.c ---- */

bool CPU_SYMBOL(columns_can)(uint32_t n);
size_t CPU_SYMBOL(columns_plan_bytes)(uint32_t n); /* that init takes, at most */
int CPU_SYMBOL(columns_plan_init)(struct columns_plan *plan, uint32_t n, bool by_fours,
                                  struct cpu_arena *memory);
/* The lane of column i of a vector. */
INLINE size_t lane_of_column(bool by_fours, size_t i)
{
    return by_fours ? cpu_lane_of_point(i, LANES) : i;
}

/*
 * What a level reads: raw samples of a format, vectors of the level before, or samples that are
 * corrected (CORRECTED + format). A constant of each function, so that a frame without a correction
 * has no instruction for it.
 */
enum { VECTORS = FFT_IQ_FORMATS, CORRECTED, INPUTS = CORRECTED + FFT_IQ_FORMATS };

struct rows {
    const void *base;
    const float *window; /* of raw samples, in the order in which the level reads */
    size_t stride;       /* vectors from one row to the next */
    struct raw_correction correction;
};

/* The format of raw samples. */
INLINE enum fft_iq_format format_of(unsigned input)
{
    return (enum fft_iq_format)(input >= CORRECTED ? input - CORRECTED : input);
}

INLINE unsigned input_of(enum fft_iq_format format, const struct kernel_input *in)
{
    return in->correction ? (unsigned)CORRECTED + format : format;
}

INLINE struct rows rows_of(const struct kernel_input *in)
{
    return (struct rows){.base = in->raw,
                         .correction =
                             in->correction ? *in->correction : (struct raw_correction){0}};
}

INLINE struct cvec correct(struct cvec x, const struct raw_correction *c)
{
    return (struct cvec){x.re * c->ii + c->re, x.re * c->qi + (x.im * c->qq + c->im)};
}

/* One level being computed. */
struct pass {
    const struct level *level;
    struct rows from;
    struct cvec *to, *scratch;
    size_t to_stride;
    bool streams; /* far rows are stored past the caches */
};

/* Vector i of the rows; `index`: its number in the order of reading. */
INLINE struct cvec fetch(unsigned input, const struct rows *from, size_t i, size_t index)
{
    if (input == VECTORS)
        return ((const struct cvec *)from->base)[i];
    const vf w = *(const vf *)(from->window + index * LANES);
    struct cvec x = vec_unpack(format_of(input), from->base, i * LANES);
    if (input >= CORRECTED)
        x = correct(x, &from->correction);
    return (struct cvec){x.re * w, x.im * w};
}

/* Prefetches what comes from memory in more streams than the hardware follows. */
INLINE void fetch_ahead(unsigned input, const struct rows *from, size_t i)
{
    const enum fft_iq_format format = format_of(input);
    const bool wide = input == VECTORS || format == FFT_IQ_CF32;
    const size_t bytes = wide ? 8 : format == FFT_IQ_CS16 ? 4 : 2;
    const char *at = (const char *)from->base + i * LANES * bytes;
    __builtin_prefetch(at, 0, 2);
    if (LANES * bytes > 64) /* two lines */
        __builtin_prefetch(at + 64, 0, 2);
}

void CPU_SYMBOL(columns_level)(unsigned input, const struct pass *p);

/* Adjacent leaves in memory. */
struct leaves {
    const struct cvec *from;
    size_t stride, count;
    const struct cvec *lanes; /* of the first one */
    size_t first;             /* power, in kernel order */
};

void CPU_SYMBOL(columns_leaves)(const struct columns_plan *plan, const struct leaves *leaves,
                                const struct sink *out);

/* n = LEAF: one leaf, which reads the samples. */
void CPU_SYMBOL(columns_only_leaf)(const struct columns_plan *plan, unsigned input,
                                   const struct rows *from, const struct sink *out);

/* ---- cpu_columns_part.c: three levels, by one thread or several (cpu_kernel.h) ---- */

bool CPU_SYMBOL(columns_divides)(uint32_t n);
uint32_t CPU_SYMBOL(columns_group_frames)(uint32_t n);
size_t CPU_SYMBOL(columns_group_bytes)(uint32_t n, uint32_t frames);
void CPU_SYMBOL(columns_top)(const struct kernel *k, void *scratch, const struct frame_group *group,
                             const struct kernel_input *in, struct portion portion);
void CPU_SYMBOL(columns_bottom)(const struct kernel *k, void *scratch,
                                const struct frame_group *group, const struct sink *out,
                                struct portion portion);

#endif
