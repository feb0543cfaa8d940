/*
 * args.h - what a kernel is given: one struct by value, its only parameter. Read by the planner (C)
 * and by the kernels (CUDA C++), so plain data of fixed size only.
 *
 * A pointer into device memory is 64 bits wide on both sides: typed for the kernels, a number for
 * the host.
 */
#ifndef FFTD_KERNELS_CUDA_ARGS_H
#define FFTD_KERNELS_CUDA_ARGS_H

#include <stdint.h>

#ifdef __cplusplus
#define DEVICE_POINTER(type) type *
#else
#define DEVICE_POINTER(type) uint64_t
#endif

#ifdef __cplusplus
struct alignas(8) point { /* a complex number: the bytes of struct iq, moved in one piece */
    float re, im;
};
#else
struct point;
#endif

/*
 * Counting levels: the row of a column is floor(offset - slope * log2(peak of its bins)), clamped.
 * Column c has the bins first[c] .. first[c + 1] - 1.
 */
struct density_scale {
    DEVICE_POINTER(const uint32_t) first; /* [columns + 1] */
    DEVICE_POINTER(uint32_t) hits;        /* [columns][levels], added to; 0: not wanted */
    uint32_t columns, levels;
    uint32_t bins; /* of a column, at most: others have one less */
    float offset, slope;
};

/*
 * Fused spectra. Frame f begins at sample f * hop. Consecutive frames make a group; a group's
 * traces are folded in registers, and leave it once: group g folds frames g * group_frames and on,
 * and writes row g of each [groups][n] array. Bins are centred: bin n/2 is zero frequency.
 */
struct spectrum_args {
    DEVICE_POINTER(const void) samples;          /* raw, in the kernel's format */
    DEVICE_POINTER(const float) window;          /* [n], divided by the format's full scale */
    DEVICE_POINTER(const struct point) twiddles; /* of the passes; the layout is the form's */
    DEVICE_POINTER(const struct point) bridge;   /* two kernels: twiddles between them */
    DEVICE_POINTER(struct point) middle;         /* two kernels: [frames][n], what passes between */
    DEVICE_POINTER(float) sum;                   /* [groups][n], 0: not wanted, like the next */
    DEVICE_POINTER(float) max;
    DEVICE_POINTER(float) min;
    DEVICE_POINTER(float) last;    /* [n]: the last frame alone */
    DEVICE_POINTER(float) powers;  /* two kernels: [frames][n], each frame's powers, for density */
    DEVICE_POINTER(uint32_t) done; /* one block alone: set when all it wrote is to be seen; 0: no */
    uint32_t n, format;            /* of a frame; enum iq_format */
    uint32_t hop;                  /* in samples */
    uint32_t frames, group_frames, groups;
    uint32_t resume;              /* 1: fold into what the rows hold already */
    struct density_scale density; /* one block counts for itself */
};

/* Folds rows of partial traces into one, in a fixed order. */
struct combine_args {
    DEVICE_POINTER(const float) from[3]; /* sum, max, min: [groups][n], 0: not wanted */
    DEVICE_POINTER(float) to[3];         /* [n] */
    uint32_t n, groups;
};

/* Counts the levels of frames that two kernels left. */
struct density_args {
    DEVICE_POINTER(const float) powers; /* [frames][n] */
    struct density_scale density;
    uint32_t n, frames;
    uint32_t frames_each; /* frames a block counts before it adds to hits */
    uint32_t tile;        /* columns a block counts */
};

struct clear_args {
    DEVICE_POINTER(uint32_t) words;
    uint32_t count;
};

/*
 * One kernel of a transform's pass: rows of n points, each through a DFT. Strides count elements of
 * their side: points, or floats where it is real. Row i counts through `axes`, the first one
 * fastest. Where a long row is the matrix [n2][n1] of two kernels, the first one multiplies point k
 * of column c = i mod axes[0].count by exp(-2 pi i c k / whole): that is coarse[c k / PASS_FINE] (1
 * + fine[c k mod PASS_FINE]).
 *
 * Kernels of tiles (transform.h) take rows of one tile from axes[0]; `first` counts what lies
 * behind it, `rows` is all tiles, `roots` has the passes' (butterfly.h), and of a long row's second
 * kernel exp(-2 pi i u / whole) is coarse[u >> fine_bits] (1 + fine[u mod 2^fine_bits]).
 */
enum { PASS_AXES = 4, PASS_STEPS = 8, PASS_FINE = 2048 };

struct pass_axis {
    uint64_t count, from, to;
};

/*
 * A step of mixed radix (mixed.h); `by_x` divides by x (rows.h). Butterfly j = q joined + k of a
 * row reads points in_apart from each other, and writes from out_group q + k on, out_apart from
 * each other.
 */
struct pass_step {
    uint32_t radix, joined, by_joined;
    uint32_t apart, by_apart; /* butterflies of a row: n / radix */
    uint32_t in_apart, out_apart, out_group;
    uint32_t roots_at; /* [radix - 1][joined]: exp(-2 pi i r k / (radix joined)), r from 1 */
};

struct pass_args {
    DEVICE_POINTER(const struct point) from;
    DEVICE_POINTER(struct point) to;
    DEVICE_POINTER(const struct point) roots;
    DEVICE_POINTER(const struct point) fine; /* 0: no such factors */
    DEVICE_POINTER(const struct point) coarse;
    DEVICE_POINTER(const struct point) parts; /* real rows: [n/2 + 1]: exp(-pi i k / n) */
    uint64_t from_stride, to_stride;          /* from point to point of a row */
    uint64_t first, rows;                     /* rows first .. first + rows - 1 */
    struct pass_axis axes[PASS_AXES];
    uint32_t n, block_rows; /* complex points of a row; a block does so many rows */
    uint32_t inverse;
    uint32_t fine_bits; /* tiles: log2 of the fine table's length */
    uint32_t ahead; /* tiles, or clusters: memory is asked so many before they are read; 0: not */

    /* Mixed radix alone. */
    uint32_t halved;      /* real rows: 2 n reals, else n */
    uint32_t paired;      /* a point's two reals are 8 aligned bytes */
    uint32_t row_bits;    /* block_rows = 2^row_bits where rows side by side go first: */
    uint32_t from_across; /* in loading */
    uint32_t to_across;   /* in storing */
    uint32_t pitch, gap;  /* points from row to row; points left out behind each `pad` of them */
    uint32_t by_pad, by_parts; /* by_parts: n/2 + 1 */
    uint32_t steps;
    struct pass_step step[PASS_STEPS];
};

#endif
