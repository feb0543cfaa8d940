/*
 * cuda_pass_form.h - the forms of plain transforms as data, from kernels/cuda/transform_forms.h and
 * transform_real_forms.h.
 */
#ifndef FFTD_FFT_CUDA_CUDA_PASS_FORM_H
#define FFTD_FFT_CUDA_CUDA_PASS_FORM_H

#include "fft/cuda/cuda_form.h"

/* Kernel families by their access to the array: see kernels/cuda/transform.h. */
enum cuda_pass_family {
    FAMILY_MIXED, /* any length and stride: kernels/cuda/pass.cu, which has no forms */
    FAMILY_ALONG,
    FAMILY_STAGED,
    FAMILY_ACROSS,
    FAMILY_BRIDGE,
    FAMILY_CLUSTER,
    FAMILY_PLANE,
    FAMILY_PART,
    FAMILY_JOIN,
    FAMILY_JOIN_COLUMNS, /* long real rows */
    FAMILY_PART_ROWS,
    FAMILY_SMOOTH_ALONG, /* common lengths that are no powers of two: transform_smooth.h */
    FAMILY_SMOOTH_ACROSS,
    FAMILY_WHOLE, /* tiles of rows with nothing between them */
    FAMILY_SMOOTH_WHOLE,
    FAMILY_PART_WHOLE,
    FAMILY_JOIN_WHOLE,
    FAMILIES
};

/* A long row n = n2 n1 in one kernel: columns of n2 points, rows of n1. */
struct cuda_pass_cluster {
    uint32_t n, blocks;
    struct cuda_form columns, rows; /* columns.names: the kernels by enum pass_kind */
};

const struct cuda_pass_cluster *cuda_pass_cluster_form(uint32_t n, const struct cuda_facts *facts);
uint32_t cuda_pass_cluster_shared(const struct cuda_pass_cluster *cluster);

/* The rows of a plane, and its columns. */
struct cuda_pass_plane {
    struct cuda_form row, column; /* row.names[0] is the kernel, row.rows the rows of a plane */
};

/* NULL: no kernel for such planes fits into the device. */
const struct cuda_pass_plane *cuda_pass_plane_form(uint32_t n, uint32_t rows,
                                                   const struct cuda_facts *facts);

/* The first form of this length that fits into the device, or NULL. */
const struct cuda_form *cuda_pass_form(enum cuda_pass_family family, uint32_t n,
                                       const struct cuda_facts *facts);

/* Points in the tables of its passes; of FAMILY_SMOOTH_..., cuda_smooth.h has them. */
size_t cuda_pass_form_roots(const struct cuda_form *form);

/* Real rows: FAMILY_PART, FAMILY_JOIN, FAMILY_..._WHOLE. */
bool cuda_pass_is_real(enum cuda_pass_family family);
/* FAMILY_SMOOTH_... */
bool cuda_pass_is_smooth(enum cuda_pass_family family);
/* FAMILY_WHOLE, FAMILY_..._WHOLE. */
bool cuda_pass_is_whole(enum cuda_pass_family family);
/* Adjacent rows in input and output: FAMILY_ACROSS, FAMILY_SMOOTH_ACROSS. */
bool cuda_pass_is_across(enum cuda_pass_family family);

/* Dynamic shared memory of a block. */
uint32_t cuda_pass_form_shared(enum cuda_pass_family family, const struct cuda_form *form);

const char *cuda_pass_form_module(enum cuda_pass_family family);

#endif
