/*
 * transform_smooth_forms.h - the forms of plain transforms of common lengths 2^a 3^b 5^c 7^d that
 * are no powers of two (transform_smooth.h), as transform_forms.h has those of 2^k points:
 *
 *     n, n / threads of a row, radices of the passes, rows per block, blocks per multiprocessor
 *
 * An odd first radix needs no gaps in shared memory. Each form is the fastest of two to ten that
 * were measured on an H200, of 100 points on an H100. Forms of whole tiles (transform.h) take
 * precedence where nothing is between the rows (9.0 and up).
 */
#ifndef FFTD_KERNELS_CUDA_TRANSFORM_SMOOTH_FORMS_H
#define FFTD_KERNELS_CUDA_TRANSFORM_SMOOTH_FORMS_H

/* clang-format off */

#define SMOOTH_ALONG_FORMS(form, ...)                                                              \
    form(96, 12, 4, 4, 6, 1, 24, 7, __VA_ARGS__)                                                   \
    form(100, 10, 10, 10, 1, 1, 6, 20, __VA_ARGS__)                                                \
    form(160, 10, 10, 4, 4, 1, 12, 6, __VA_ARGS__)                                                 \
    form(192, 12, 12, 16, 1, 1, 12, 6, __VA_ARGS__)                                                \
    form(200, 10, 5, 5, 8, 1, 11, 5, __VA_ARGS__)                                                  \
    form(240, 15, 15, 4, 4, 1, 12, 6, __VA_ARGS__)                                                 \
    form(320, 20, 4, 4, 20, 1, 12, 4, __VA_ARGS__)                                                 \
    form(384, 16, 16, 24, 1, 1, 8, 4, __VA_ARGS__)                                                 \
    form(400, 20, 5, 4, 20, 1, 11, 4, __VA_ARGS__)                                                 \
    form(480, 15, 15, 4, 8, 1, 6, 6, __VA_ARGS__)                                                  \
    form(500, 10, 10, 10, 5, 1, 5, 5, __VA_ARGS__)                                                 \
    form(640, 16, 4, 10, 16, 1, 4, 6, __VA_ARGS__)                                                 \
    form(729, 9, 9, 9, 9, 1, 4, 4, __VA_ARGS__)                                                    \
    form(768, 24, 8, 8, 12, 1, 6, 4, __VA_ARGS__)                                                  \
    form(800, 20, 4, 10, 20, 1, 4, 5, __VA_ARGS__)                                                 \
    form(960, 15, 15, 4, 16, 1, 3, 6, __VA_ARGS__)                                                 \
    form(1000, 10, 10, 10, 10, 1, 2, 6, __VA_ARGS__)                                               \
    form(1200, 15, 15, 8, 10, 1, 2, 6, __VA_ARGS__)                                                \
    form(1280, 16, 5, 16, 16, 1, 2, 6, __VA_ARGS__)                                                \
    form(1500, 15, 15, 10, 10, 1, 2, 4, __VA_ARGS__)                                               \
    form(1536, 24, 8, 8, 24, 1, 3, 4, __VA_ARGS__)                                                 \
    form(1920, 15, 15, 8, 16, 1, 2, 4, __VA_ARGS__)                                                \
    form(2000, 20, 5, 20, 20, 1, 2, 4, __VA_ARGS__)                                                \
    form(2187, 27, 27, 27, 3, 1, 1, 8, __VA_ARGS__)                                                \
    form(2400, 15, 15, 10, 16, 1, 1, 6, __VA_ARGS__)                                               \
    form(3000, 15, 15, 20, 10, 1, 1, 5, __VA_ARGS__)                                               \
    form(3072, 12, 12, 16, 16, 1, 1, 4, __VA_ARGS__)                                               \
    form(4000, 20, 10, 20, 20, 1, 1, 4, __VA_ARGS__)                                               \
    form(5000, 20, 5, 5, 10, 20, 1, 3, __VA_ARGS__)                                                \
    form(5040, 20, 21, 12, 20, 1, 1, 3, __VA_ARGS__)                                               \
    form(6000, 15, 15, 20, 20, 1, 1, 2, __VA_ARGS__)                                               \
    form(6144, 16, 16, 16, 24, 1, 1, 2, __VA_ARGS__)                                               \
    form(6561, 27, 27, 27, 9, 1, 1, 3, __VA_ARGS__)                                                \
    form(8000, 20, 20, 20, 20, 1, 1, 2, __VA_ARGS__)                                               \
    form(10000, 20, 25, 20, 20, 1, 1, 2, __VA_ARGS__)                                              \
    form(12000, 20, 25, 20, 24, 1, 1, 1, __VA_ARGS__)                                              \
    form(12288, 24, 8, 8, 8, 24, 1, 1, __VA_ARGS__)                                                \
    form(19683, 27, 27, 27, 27, 1, 1, 1, __VA_ARGS__)

#define SMOOTH_WHOLE_FORMS(form, ...)                                                              \
    form(400, 20, 20, 20, 1, 1, 8, 5, __VA_ARGS__)                                                 \
    form(500, 20, 25, 20, 1, 1, 5, 5, __VA_ARGS__)                                                 \
    form(729, 27, 27, 27, 1, 1, 4, 5, __VA_ARGS__)                                                 \
    form(1000, 25, 25, 5, 8, 1, 4, 4, __VA_ARGS__)                                                 \
    form(2400, 15, 15, 16, 10, 1, 1, 6, __VA_ARGS__)                                               \
    form(4000, 20, 20, 20, 10, 1, 1, 5, __VA_ARGS__)

#define SMOOTH_ACROSS_FORMS(form, ...)                                                             \
    form(96, 24, 8, 12, 1, 1, 32, 5, __VA_ARGS__)                                                  \
    form(160, 16, 16, 10, 1, 1, 16, 6, __VA_ARGS__)                                                \
    form(192, 12, 12, 16, 1, 1, 16, 4, __VA_ARGS__)                                                \
    form(200, 20, 10, 20, 1, 1, 16, 5, __VA_ARGS__)                                                \
    form(240, 15, 15, 16, 1, 1, 16, 4, __VA_ARGS__)                                                \
    form(320, 16, 16, 20, 1, 1, 16, 2, __VA_ARGS__)                                                \
    form(384, 16, 16, 24, 1, 1, 16, 2, __VA_ARGS__)                                                \
    form(500, 20, 5, 10, 10, 1, 16, 2, __VA_ARGS__)                                                \
    form(768, 24, 8, 8, 12, 1, 16, 1, __VA_ARGS__)                                                 \
    form(1000, 20, 5, 10, 20, 1, 8, 2, __VA_ARGS__)

/* clang-format on */

#endif
