/*
 * args.h - kernel arguments: one struct by value is the only parameter of a kernel. The planner (C)
 * and the kernels (CUDA C++) both read it, so it is plain data of fixed size.
 *
 * Pointers to device memory are 64 bits wide on both sides: typed in kernels, numbers on the host.
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
struct alignas(8) point { /* a complex number: the layout of struct fft_iq, moved as one word */
    float re, im;
};
#else
struct point;
#endif

/*
 * Scale of the density. The row of a column is floor(offset - slope * log2(peak of its bins)),
 * clamped. Column c has bins first[c] .. first[c + 1] - 1.
 */
struct density_scale {
    DEVICE_POINTER(const uint32_t) first; /* [columns + 1] */
    DEVICE_POINTER(uint32_t) hits;        /* [columns][levels], incremented; 0: not wanted */
    uint32_t columns, levels;
    uint32_t bins; /* bins of a column, at most: some have one less */
    float offset, slope;
};

/*
 * A correction of samples on load, in raw units:
 *
 *     I' = ii I + re
 *     Q' = qi I + qq Q + im
 */
struct sample_correction {
    float ii, qi, qq, re, im;
    uint32_t wanted; /* 0: samples stay as they are */
};

/*
 * Fused spectra. Frame f begins at sample f * hop. Consecutive frames form a group. The detectors
 * of a group are folded in registers and stored once: group g folds the frames from g *
 * group_frames on and writes row g of each [groups][n] array. Bins are centred: bin n/2 is zero
 * frequency.
 */
struct spectrum_args {
    DEVICE_POINTER(const void) samples;          /* raw, in the kernel's format */
    DEVICE_POINTER(const float) window;          /* [n], divided by the format's full scale */
    DEVICE_POINTER(const struct point) twiddles; /* of the passes; the form defines the layout */
    DEVICE_POINTER(const struct point) bridge;   /* two kernels: twiddles between them */
    DEVICE_POINTER(struct point) middle;         /* two kernels: [frames][n], points between them */
    DEVICE_POINTER(uint32_t) progress; /* relay: [2][entries][pipelines], 0 at the launch */
    DEVICE_POINTER(float) sum;         /* [groups][n]; 0: not wanted, as for the next */
    DEVICE_POINTER(float) max;
    DEVICE_POINTER(float) min;
    DEVICE_POINTER(float) last;    /* [n]: the last frame alone */
    DEVICE_POINTER(float) powers;  /* two kernels: [frames][n], powers for the density */
    DEVICE_POINTER(float) kept;    /* two kernels: detectors between chunks (spectrum_split.h) */
    DEVICE_POINTER(uint32_t) done; /* one block: set to 1 after all its writes; 0: not wanted */
    uint32_t n, format;            /* points of a frame; enum fft_iq_format */
    uint32_t hop;                  /* in samples */
    uint32_t frames, group_frames, groups;
    uint32_t pipelines, entries;  /* relay: frames at a time; `middle` is [entries][pipelines][n] */
    uint32_t resume;              /* 1: continue the detectors in the rows, or those in `kept` */
    uint32_t keep;                /* 1: write the detectors to `kept` */
    struct density_scale density; /* one block: counted by the same kernel */
    struct sample_correction correction;
};

/* Folds rows of partial detectors into one row, in a fixed order. */
struct combine_args {
    DEVICE_POINTER(const float) from[3]; /* sum, max, min: [groups][n], 0: not wanted */
    DEVICE_POINTER(float) to[3];         /* [n] */
    uint32_t n, groups;
    uint32_t bins; /* of a block */
};

/* Counts the levels of frames whose powers two kernels stored. */
struct density_args {
    DEVICE_POINTER(const float) powers; /* [frames][n] */
    struct density_scale density;
    uint32_t n, frames;
    uint32_t frames_each; /* frames that a block counts before it adds to hits */
    uint32_t tile;        /* columns per block */
};

struct clear_args {
    DEVICE_POINTER(uint32_t) words;
    uint32_t count;
};

/*
 * One kernel of a transform pass: a DFT of every row of n points. Strides count elements of their
 * side: points, or floats on a real side. Row i counts through `axes`, the first axis fastest. If a
 * long row is the matrix [n2][n1] of two kernels, the first kernel multiplies point k of column c =
 * i mod axes[0].count by exp(-2 pi i c k / whole), which is coarse[c k / PASS_FINE] (1 + fine[c k
 * mod PASS_FINE]).
 *
 * Tile kernels (transform.h) take the rows of a tile from axes[0]. `first` counts the axes after
 * it, `rows` is the number of tiles, and `roots` has the roots of the passes (butterfly.h). In the
 * second kernel of a long row, exp(-2 pi i u / whole) is coarse[u >> fine_bits] (1 + fine[u mod
 * 2^fine_bits]).
 */
enum { PASS_AXES = 4, PASS_STEPS = 8, PASS_FINE = 2048 };

struct pass_axis {
    uint64_t count, from, to;
};

/*
 * A mixed-radix step (mixed.h); `by_x` is the reciprocal for a division by x (rows.h). Butterfly j
 * = q joined + k of a row reads points in_apart from one another. It writes points out_apart from
 * one another, from out_group q + k on.
 */
struct pass_step {
    uint32_t radix, joined, by_joined;
    uint32_t apart, by_apart; /* butterflies per row: n / radix */
    uint32_t in_apart, out_apart, out_group;
    uint32_t roots_at; /* [radix - 1][joined]: exp(-2 pi i r k / (radix joined)), r from 1 */
};

struct pass_args {
    DEVICE_POINTER(const struct point) from;
    DEVICE_POINTER(struct point) to;
    DEVICE_POINTER(const struct point) roots;
    DEVICE_POINTER(const struct point) fine; /* 0: no such factors */
    DEVICE_POINTER(const struct point) coarse;
    /* Real rows: [n/2 + 1]: exp(-pi i k / n). Of long rows: fine [PASS_FINE], then coarse. */
    DEVICE_POINTER(const struct point) parts;
    uint64_t from_stride, to_stride; /* from point to point of a row */
    uint64_t first, rows;            /* rows first .. first + rows - 1 */
    struct pass_axis axes[PASS_AXES];
    uint32_t n, block_rows; /* complex points of a row; rows per block */
    uint32_t inverse;
    uint32_t fine_bits; /* tiles: log2 of the fine table's length */
    float scale;        /* of the results */
    uint32_t ahead;     /* tiles or clusters to prefetch ahead; 0: no prefetch */

    /* Mixed radix alone. */
    uint32_t halved;           /* real rows: 2 n reals, else n */
    uint32_t paired;           /* a point's two reals are 8 aligned bytes */
    uint32_t row_bits;         /* block_rows = 2^row_bits if adjacent rows are counted first: */
    uint32_t from_across;      /* when loading */
    uint32_t to_across;        /* when storing */
    uint32_t pitch, gap;       /* points from row to row; points skipped after each `pad` points */
    uint32_t by_pad, by_parts; /* reciprocals of pad and of n/2 + 1 */
    uint32_t steps;
    struct pass_step step[PASS_STEPS];
};

#endif
