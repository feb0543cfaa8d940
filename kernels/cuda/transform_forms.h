/*
 * transform_forms.h - the forms of plain transforms of 2^k points, as forms.h has those of fused
 * spectra:
 *
 *     n, points per thread, radices of the passes, rows per block, blocks per multiprocessor
 *
 * Families by their access to the array (see transform.h):
 *
 *     along     points of a row are contiguous, in input and output
 *     staged    the same, by bulk copies (9.0 and up)
 *     whole     the same, for tiles of rows with nothing between them (9.0 and up)
 *     across    rows are adjacent, in input and output: an axis with a stride, and the first kernel
 *               of a long row
 *     bridge    from along to across: the second kernel of a long row
 *     cluster   a long row in one kernel (9.0 and up; more than 8 blocks: 9.0 only)
 *     plane     both axes of a plane whose rows have contiguous points (transform_plane.h)
 *
 * A tile of rows that is too wide for the shared memory of a device is followed by a narrower one.
 */
#ifndef FFTD_KERNELS_CUDA_TRANSFORM_FORMS_H
#define FFTD_KERNELS_CUDA_TRANSFORM_FORMS_H

/* clang-format off */

#define ALONG_FORMS(form, ...)                                                                     \
    form(64, 8, 8, 8, 1, 1, 16, 8, __VA_ARGS__)                                                    \
    form(128, 8, 8, 8, 2, 1, 8, 8, __VA_ARGS__)                                                 \
    form(256, 16, 16, 16, 1, 1, 8, 6, __VA_ARGS__)                                                 \
    form(512, 8, 8, 8, 8, 1, 4, 6, __VA_ARGS__)                                                    \
    form(1024, 16, 16, 16, 4, 1, 4, 4, __VA_ARGS__)                                                \
    form(2048, 16, 16, 16, 8, 1, 1, 8, __VA_ARGS__)                                                \
    form(4096, 16, 16, 16, 16, 1, 1, 4, __VA_ARGS__)                                               \
    form(8192, 32, 16, 16, 32, 1, 1, 2, __VA_ARGS__)                                               \
    form(16384, 32, 32, 32, 16, 1, 1, 1, __VA_ARGS__)

#define STAGED_FORMS(form, ...)                                                                    \
    form(16384, 32, 32, 16, 32, 1, 1, 1, __VA_ARGS__)

#define WHOLE_FORMS(form, ...)                                                                     \
    form(8192, 32, 32, 16, 16, 1, 1, 2, __VA_ARGS__)

#define ACROSS_FORMS(form, ...)                                                                    \
    form(64, 8, 8, 8, 1, 1, 32, 4, __VA_ARGS__)                                                    \
    form(128, 16, 16, 8, 1, 1, 16, 6, __VA_ARGS__)                                                 \
    form(256, 16, 16, 16, 1, 1, 16, 4, __VA_ARGS__)                                                \
    form(512, 32, 32, 16, 1, 1, 16, 2, __VA_ARGS__)                                                \
    form(1024, 32, 32, 32, 1, 1, 8, 2, __VA_ARGS__)                                                \
    form(2048, 32, 32, 16, 4, 1, 8, 1, __VA_ARGS__)                                                \
    form(2048, 16, 16, 16, 8, 1, 2, 2, __VA_ARGS__)                                                \
    form(4096, 16, 16, 16, 16, 1, 4, 1, __VA_ARGS__)                                             \
    form(4096, 16, 16, 16, 16, 1, 2, 1, __VA_ARGS__)

#define BRIDGE_FORMS(form, ...)                                                                    \
    form(64, 8, 8, 8, 1, 1, 32, 4, __VA_ARGS__)                                                    \
    form(128, 16, 16, 8, 1, 1, 16, 6, __VA_ARGS__)                                                 \
    form(256, 16, 16, 16, 1, 1, 16, 4, __VA_ARGS__)                                                \
    form(512, 16, 16, 16, 2, 1, 8, 4, __VA_ARGS__)                                                 \
    form(1024, 32, 32, 32, 1, 1, 8, 2, __VA_ARGS__)                                                \
    form(1024, 16, 16, 16, 4, 1, 4, 2, __VA_ARGS__)                                                \
    form(2048, 32, 32, 16, 4, 1, 4, 2, __VA_ARGS__)                                                \
    form(2048, 16, 16, 16, 8, 1, 2, 2, __VA_ARGS__)                                                \
    form(4096, 16, 16, 16, 16, 1, 4, 1, __VA_ARGS__)                                             \
    form(4096, 16, 16, 16, 16, 1, 1, 1, __VA_ARGS__)

/*
 * n, points per thread, n2 and the two radices of the columns, n1 and those of the rows, blocks of
 * a cluster, blocks per multiprocessor.
 */
#define CLUSTER_FORMS(form, ...)                                                                   \
    form(32768, 16, 128, 16, 8, 256, 16, 16, 8, 4, __VA_ARGS__)                                    \
    form(65536, 16, 256, 16, 16, 256, 16, 16, 16, 4, __VA_ARGS__)

/* Rows, points of a row, points per thread, radices of the columns and of the rows, blocks. */
#define PLANE_FORMS(form, ...)                                                                     \
    form(64, 64, 8, 8, 8, 8, 8, 3, __VA_ARGS__)                                                    \
    form(64, 128, 16, 16, 4, 16, 8, 2, __VA_ARGS__)                                                \
    form(128, 64, 16, 16, 8, 16, 4, 2, __VA_ARGS__)                                                \
    form(128, 128, 16, 16, 8, 16, 8, 1, __VA_ARGS__)

/* clang-format on */

#endif
