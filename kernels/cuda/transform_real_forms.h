/*
 * transform_real_forms.h - the forms of real rows of 2 n reals (transform_real.h), as
 * transform_forms.h has those of plain transforms:
 *
 *     part     reals to bins
 *     join     bins to reals, where more points per thread hide more of the loads' latency
 *     whole    the same, for tiles of rows with nothing between them (9.0 and up)
 *
 * and of longer rows (transform_parts.h): the first kernel from bins, and the second to bins, whose
 * tiles have twice as many rows as those of plain transforms, because half of them are elsewhere.
 */
#ifndef FFTD_KERNELS_CUDA_TRANSFORM_REAL_FORMS_H
#define FFTD_KERNELS_CUDA_TRANSFORM_REAL_FORMS_H

/* clang-format off */

#define PART_FORMS(form, ...)                                                                      \
    form(64, 8, 8, 8, 1, 1, 16, 8, __VA_ARGS__)                                                    \
    form(128, 8, 8, 8, 2, 1, 8, 8, __VA_ARGS__)                                                    \
    form(256, 16, 16, 16, 1, 1, 8, 6, __VA_ARGS__)                                                 \
    form(512, 16, 16, 16, 2, 1, 4, 8, __VA_ARGS__)                                                 \
    form(1024, 32, 32, 32, 1, 1, 4, 4, __VA_ARGS__)                                                \
    form(2048, 16, 16, 16, 8, 1, 1, 8, __VA_ARGS__)                                                \
    form(4096, 16, 16, 16, 16, 1, 1, 4, __VA_ARGS__)                                               \
    form(8192, 32, 32, 16, 16, 1, 1, 2, __VA_ARGS__)                                               \
    form(16384, 32, 32, 32, 16, 1, 1, 1, __VA_ARGS__)

#define JOIN_FORMS(form, ...)                                                                      \
    form(64, 8, 8, 8, 1, 1, 16, 8, __VA_ARGS__)                                                    \
    form(128, 16, 16, 8, 1, 1, 16, 6, __VA_ARGS__)                                                 \
    form(256, 16, 16, 16, 1, 1, 8, 6, __VA_ARGS__)                                                 \
    form(512, 16, 16, 16, 2, 1, 4, 8, __VA_ARGS__)                                                 \
    form(1024, 32, 32, 32, 1, 1, 4, 4, __VA_ARGS__)                                                \
    form(2048, 32, 32, 16, 4, 1, 2, 4, __VA_ARGS__)                                                \
    form(4096, 32, 16, 16, 16, 1, 1, 4, __VA_ARGS__)                                               \
    form(8192, 32, 16, 16, 32, 1, 1, 2, __VA_ARGS__)                                               \
    form(16384, 32, 16, 32, 32, 1, 1, 1, __VA_ARGS__)

#define PART_WHOLE_FORMS(form, ...)                                                                \
    form(128, 16, 16, 8, 1, 1, 8, 12, __VA_ARGS__)                                                 \
    form(256, 16, 16, 16, 1, 1, 8, 6, __VA_ARGS__)                                                 \
    form(512, 32, 32, 16, 1, 1, 4, 8, __VA_ARGS__)                                                 \
    form(1024, 32, 32, 32, 1, 1, 4, 4, __VA_ARGS__)                                                \
    form(2048, 32, 16, 8, 16, 1, 1, 8, __VA_ARGS__)                                                \
    form(4096, 32, 16, 16, 16, 1, 1, 5, __VA_ARGS__)

#define JOIN_WHOLE_FORMS(form, ...)                                                                \
    form(512, 32, 16, 32, 1, 1, 4, 6, __VA_ARGS__)                                                 \
    form(2048, 32, 16, 16, 8, 1, 1, 8, __VA_ARGS__)                                                \
    form(4096, 32, 16, 16, 16, 1, 1, 4, __VA_ARGS__)                                               \
    form(8192, 32, 16, 32, 16, 1, 1, 2, __VA_ARGS__)

#define JOIN_COLUMNS_FORMS(form, ...)                                                              \
    form(128, 16, 16, 8, 1, 1, 16, 6, __VA_ARGS__)                                                 \
    form(256, 16, 16, 16, 1, 1, 16, 4, __VA_ARGS__)                                                \
    form(512, 32, 32, 16, 1, 1, 16, 2, __VA_ARGS__)                                                \
    form(1024, 32, 32, 32, 1, 1, 8, 2, __VA_ARGS__)                                                \
    form(2048, 32, 32, 16, 4, 1, 8, 1, __VA_ARGS__)

#define PART_ROWS_FORMS(form, ...)                                                                 \
    form(256, 16, 16, 16, 1, 1, 16, 4, __VA_ARGS__)                                                \
    form(512, 32, 32, 16, 1, 1, 16, 2, __VA_ARGS__)                                                \
    form(1024, 32, 32, 32, 1, 1, 16, 1, __VA_ARGS__)                                               \
    form(2048, 32, 32, 16, 4, 1, 8, 1, __VA_ARGS__)

/* clang-format on */

#endif
