/*
 * cpu_lanes.h - transforms in vectors: LANES of them at once, one in each lane.
 *
 * cpu_lanes.c computes LANES transforms of one length at once, without a shuffle: point j of all of
 * them is one vector. It has two users, which fill the lanes differently:
 *
 *     cpu_rows.c     the rows of a batch, or the columns of an array
 *     cpu_split.c    the columns of one long transform of n = n1 n2 points, seen as n1 rows of n2:
 * n1 points down each column, a twiddle, and then n2 points along each row, with the rows in the
 * lanes. Between them one transpose of LANES x LANES.
 *
 * Up to 2^16 points n1 is LANES if LANES^2 divides n, and 16 for some short lengths: then a block
 * of columns is one or more squares, and goes through DFT, twiddles and transposes in one step
 * (cpu_squares.c).
 *
 * Plans are made once for all instruction sets (cpu_lanes_plan.c), the code is compiled for each.
 */
#ifndef FFTD_FFT_CPU_TRANSFORM_CPU_LANES_H
#define FFTD_FFT_CPU_TRANSFORM_CPU_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/cpu/base/cpu_memory.h"
#include "fft/cpu/base/cpu_symbol.h"
#include "fft/iq.h"
#include "fft/radix.h"

/*
 * The lane of point i of a vector of points. Points are loaded and stored with shuffles within
 * groups of four lanes only, the cheapest ones. So 16 lanes contain points
 * 0 1 8 9 | 2 3 10 11 | 4 5 12 13 | 6 7 14 15, and 8 lanes 0 1 4 5 | 2 3 6 7.
 */
static inline size_t cpu_lane_of_point(size_t point, size_t lanes)
{
    const size_t half = lanes / 2, rest = point % half;
    return rest / 2 * 4 + point / half * 2 + rest % 2;
}

/* Passes for one length: radices 2, 3, 4, 5, 7, 8 and 16, decimation in frequency. */
struct lanes_plan {
    uint32_t n; /* >= 2 */
    struct radices radices;
    /* [m / radix][radix - 1] pairs: w_m^(q k) after the pass over blocks of m points; none for the
     * last */
    const float *twiddles[RADIX_PASSES];
};

/* 0, -ENOTSUP: n is 1 or not smooth, or -ENOMEM. */
int cpu_lanes_plan_init(struct lanes_plan *p, uint32_t n, struct cpu_arena *memory);

/* Up to LANES rows, transformed at once, or those of a split. Strides in points; rows out of place,
 * or in place with equal strides.
 */
struct row_set {
    const struct fft_iq *from;
    struct fft_iq *to;
    size_t from_point, from_row, to_point, to_row;
    uint32_t count; /* 1 .. LANES */
    bool inverse;
    float scale;   /* of the results */
    void *scratch; /* cpu_rows_scratch_bytes, aligned to 64 bytes */
};

size_t cpu_rows_scratch_bytes(uint32_t n, uint32_t lanes);

/* One long transform. */
struct split_plan {
    uint32_t n1, n2, lanes;
    uint32_t set_rows;               /* of a set, at most: more than one of short lengths */
    bool squares;                    /* the blocks of columns */
    bool far;                        /* its arrays are beyond L2 */
    struct lanes_plan first, second; /* of n1 and of n2 points */
    /*
     * The twiddles w_n^(k1 column). Up to 2^16 points: one for each point. Beyond, reading them
     * would take longer than a multiplication: with column = block * lanes + lane each is the
     * product of two factors.
     */
    float *twiddles;       /* [blocks][rows][re, im][lanes], or of squares of 16 rows
                              [columns][rows / lanes][re, im][k1: lanes]; or NULL */
    float *block_twiddles; /* [blocks][rows] pairs: w_n^(k1 * block * lanes), or NULL */
    float *lane_twiddles;  /* likewise NULL: [rows / lanes][lane][re, im][k1: lanes]:
                              w_n^(k1 * lane) */
    size_t group_stride;   /* vectors from one group of rows to the next in `middle` */
};

/* What a thread writes to. Threads that divide one transform share a `middle`. */
struct split_scratch {
    void *columns; /* [2][rows] vectors: one block of columns, before and after its DFT */
    void *middle;  /* [rows / lanes][group_stride] vectors: all points, row k1 in its lane */
    void *tail;    /* [n2] vectors: the result of the last rows, if they do not fill a group */
};

/*
 * Vectors of points that splits of `count` rows of n work on, 0: n cannot be split. Some lanes idle
 * where n has few factors of 2: with all of them at work it is count * n / lanes.
 */
uint64_t cpu_split_vectors(uint32_t n, uint32_t lanes, uint64_t count);
int cpu_split_plan_init(struct split_plan *s, uint32_t n, uint32_t lanes,
                        struct cpu_arena *memory);  /* 0 or -ENOMEM */
bool cpu_split_divides(const struct split_plan *s); /* it has rows for several threads */

/* 0 or -ENOMEM. middle: with a `middle` of its own. */
int cpu_split_scratch_init(struct split_scratch *t, const struct split_plan *s, bool middle,
                           struct cpu_arena *memory);

/* The direction of a transform, and the factor of its results. */
struct direction {
    bool inverse;
    float scale;
};

/* Real transforms by complex ones of half the length: their spectra (fft/real.h has the formula).
 */
struct halves {
    uint32_t half;              /* complex points; pairs of bins k, half - k for k = 0 .. half/2 */
    const struct fft_iq *roots; /* [half/2 + 1]: w_(2 half)^k / 2 */
    size_t stride;              /* from one bin to the next */
};

/* The transforms of one instruction set. */
struct lanes_ops {
    uint32_t lanes;
    void (*rows)(const struct lanes_plan *p, const struct row_set *set);
    /* A set of s->set_rows rows at most; points 1 apart. */
    void (*split)(const struct split_plan *s, const struct split_scratch *t,
                  const struct row_set *set);
    /* Part `part` of `parts` of its columns; after all of these, of its rows. */
    void (*split_columns)(const struct split_plan *s, const struct split_scratch *t,
                          const struct fft_iq *from, bool inverse, uint32_t part, uint32_t parts);
    void (*split_rows)(const struct split_plan *s, const struct split_scratch *t, struct fft_iq *to,
                       struct direction d, uint32_t part, uint32_t parts);
    /* Pairs first .. end-1, from z [half] to bins x [half + 1], and from bins to z; apart. */
    void (*separate)(const struct halves *h, const struct fft_iq *z, struct fft_iq *x, size_t first,
                     size_t end);
    void (*join)(const struct halves *h, const struct fft_iq *x, struct fft_iq *z, size_t first,
                 size_t end);
};

#endif
