/*
 * args.h - arguments of the kernels of the study. Boxes are [n][n][n] points with n = 128 unless
 * stated otherwise; pointers to device memory are as in kernels/cuda/args.h.
 */
#ifndef FFTD_STUDIES_CUDA_3D_KERNELS_ARGS_H
#define FFTD_STUDIES_CUDA_3D_KERNELS_ARGS_H

#include "kernels/cuda/args.h"

enum { STUDY_N = 128, STUDY_BITS = 7, STUDY_TILE = 32, STUDY_TILE_ROWS = 8 };

/* Rows of 128 points, packed. */
struct study_rows_args {
    DEVICE_POINTER(const struct point) from;
    DEVICE_POINTER(struct point) to;
    DEVICE_POINTER(const struct point) roots; /* [64]: exp(-2 pi i q / 128) */
    uint32_t rows;
    uint32_t next_apart; /* ahead128.cu: rows between neighbours along the next axis; 0: none */
};

/*
 * A box [n[0]][n[1]][n[2]] whose axes are permuted: along axis i, points are from_apart[i] apart in
 * the input and to_apart[i] apart in the output. from_apart[2] is 1.
 */
struct study_permute_args {
    DEVICE_POINTER(const struct point) from;
    DEVICE_POINTER(struct point) to;
    uint32_t n[3], fast; /* fast: the axis for which to[] is 1 */
    uint32_t from_apart[3], to_apart[3];
};

#endif
