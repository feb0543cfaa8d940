/*
 * args.h - what the study's kernels are given. Boxes are [n][n][n] points with n = 128 where
 * nothing else is said; a pointer into device memory is as in kernels/cuda/args.h.
 */
#ifndef FFTD_KERNELS_CUDA_STUDY_ARGS_H
#define FFTD_KERNELS_CUDA_STUDY_ARGS_H

#include "kernels/cuda/args.h"

enum { STUDY_N = 128, STUDY_BITS = 7, STUDY_TILE = 32, STUDY_TILE_ROWS = 8 };

/* Rows of 128 points, packed. */
struct study_rows_args {
    DEVICE_POINTER(const struct point) from;
    DEVICE_POINTER(struct point) to;
    DEVICE_POINTER(const struct point) roots; /* [64]: exp(-2 pi i q / 128) */
    uint32_t rows;
};

/*
 * A box [n[0]][n[1]][n[2]] with its axes in another order: along axis i of the input, points are
 * from[i] apart in it and to[i] apart in the output. from[2] is 1.
 */
struct study_permute_args {
    DEVICE_POINTER(const struct point) from;
    DEVICE_POINTER(struct point) to;
    uint32_t n[3], fast; /* fast: the axis for which to[] is 1 */
    uint32_t from_apart[3], to_apart[3];
};

#endif
