/*
 * forms.h - the forms of fused spectra: the table from which the kernels are instantiated and the
 * planner chooses. Plain C and CUDA C++.
 *
 * Each entry describes one block of threads:
 *
 *     n, points per thread, radices of the passes, rows per block, blocks per multiprocessor
 *
 * A row is a frame, or a row or column of the matrix of a long frame. "Blocks per multiprocessor"
 * is the number that registers and shared memory are to leave room for.
 */
#ifndef FFTD_KERNELS_CUDA_FORMS_H
#define FFTD_KERNELS_CUDA_FORMS_H

/* clang-format off */

/*
 * One block, mean alone, frames by bulk copy (9.0 and up): few threads with many registers. A form
 * that is too wide for the shared memory of a device or for a format is followed by a narrower one,
 * where that is quicker than plain loads. Those are as quick for shorter frames.
 */
#define MEAN_FORMS(form, ...)                                                                      \
    form(512, 32, 32, 16, 1, 1, 8, 4, __VA_ARGS__)                                                 \
    form(1024, 32, 32, 32, 1, 1, 16, 1, __VA_ARGS__)                                               \
    form(1024, 32, 32, 32, 1, 1, 8, 1, __VA_ARGS__)                                                \
    form(2048, 64, 64, 32, 1, 1, 8, 1, __VA_ARGS__)                                                \
    form(4096, 64, 64, 64, 1, 1, 4, 1, __VA_ARGS__)                                                \
    form(16384, 32, 16, 32, 32, 1, 1, 1, __VA_ARGS__)

/* One block, mean alone, plain loads: any chip, any hop, and lowest latency for a single frame. */
#define PLAIN_FORMS(form, ...)                                                                     \
    form(64, 16, 16, 4, 1, 1, 64, 2, __VA_ARGS__)                                                  \
    form(128, 16, 16, 8, 1, 1, 32, 2, __VA_ARGS__)                                                 \
    form(256, 16, 16, 16, 1, 1, 16, 2, __VA_ARGS__)                                                \
    form(512, 16, 16, 16, 2, 1, 8, 2, __VA_ARGS__)                                                 \
    form(1024, 16, 16, 16, 4, 1, 4, 2, __VA_ARGS__)                                                \
    form(2048, 16, 16, 16, 8, 1, 2, 2, __VA_ARGS__)                                                \
    form(4096, 16, 16, 16, 16, 1, 1, 2, __VA_ARGS__)                                               \
    form(8192, 16, 16, 16, 16, 2, 1, 1, __VA_ARGS__)                                               \
    form(16384, 32, 32, 32, 16, 1, 1, 1, __VA_ARGS__)

/* The same for a batch of one frame, with its tables in registers: no more delay than needed. */
#define SINGLE_FORMS(form, ...)                                                                    \
    form(256, 16, 16, 16, 1, 1, 1, 1, __VA_ARGS__)                                                 \
    form(512, 16, 16, 16, 2, 1, 1, 1, __VA_ARGS__)                                                 \
    form(1024, 16, 16, 16, 4, 1, 1, 1, __VA_ARGS__)                                                \
    form(2048, 16, 16, 16, 8, 1, 1, 1, __VA_ARGS__)                                                \
    form(4096, 16, 16, 16, 16, 1, 1, 1, __VA_ARGS__)                                               \
    form(8192, 16, 16, 16, 16, 2, 1, 1, __VA_ARGS__)

/*
 * One block, all detectors, no density, frames by bulk copy (9.0 and up). Accumulators leave
 * registers for half as many points as those of the mean. Plain loads are as quick for shorter
 * frames.
 */
#define ALL_FORMS(form, ...) form(512, 32, 32, 16, 1, 1, 8, 2, __VA_ARGS__)

/*
 * The same where two warps share the detectors of their frames (spectrum_pairs.h):
 *
 *     n, bins that a thread folds, radices, pairs of warps, blocks per multiprocessor
 */
#define PAIRS_FORMS(form, ...) form(1024, 16, 32, 32, 6, 1, __VA_ARGS__)

/*
 * The same for longer frames, which are divided into parts (spectrum_parts.h):
 *
 *     n, points per thread, radices of a part, parts, blocks per multiprocessor
 */
#define PARTS_FORMS(form, ...)                                                                     \
    form(2048, 16, 16, 16, 8, 4, __VA_ARGS__)                                                      \
    form(4096, 32, 32, 8, 16, 2, __VA_ARGS__)                                                      \
    form(8192, 32, 32, 16, 16, 1, __VA_ARGS__)

/* Mean alone: the only length that is quicker in parts. */
#define PARTS_MEAN_FORMS(form, ...) form(8192, 32, 32, 16, 16, 1, __VA_ARGS__)

/*
 * A cluster of blocks for each frame (spectrum_cluster.h, 9.0 and up):
 *
 *     n, points per thread, radices of a part, parts, blocks of a cluster, blocks per multiprocessor
 *
 * Blocks of 256 threads divide the next frame before they transform the parts of this one. The mean
 * of 32K points is as quick with two blocks of 512 threads, which have more clusters, for groups of
 * few frames. Samples of 8 bytes leave no room for that: a form with more blocks follows.
 */
#define CLUSTER_MEAN_FORMS(form, ...)                                                              \
    form(32768, 32, 32, 32, 32, 2, 1, __VA_ARGS__)                                                 \
    form(32768, 32, 32, 32, 32, 4, 1, __VA_ARGS__)                                                 \
    form(65536, 32, 32, 32, 64, 8, 1, __VA_ARGS__)

#define CLUSTER_ALL_FORMS(form, ...)                                                               \
    form(16384, 32, 32, 32, 16, 2, 1, __VA_ARGS__)                                                 \
    form(32768, 32, 32, 32, 32, 4, 1, __VA_ARGS__)                                                 \
    form(65536, 32, 32, 32, 64, 8, 1, __VA_ARGS__)

/* One block, all detectors, density, plain loads. */
#define DETECTORS_FORMS(form, ...)                                                                 \
    form(64, 16, 16, 4, 1, 1, 64, 2, __VA_ARGS__)                                                  \
    form(128, 16, 16, 8, 1, 1, 32, 2, __VA_ARGS__)                                                 \
    form(256, 16, 16, 16, 1, 1, 16, 2, __VA_ARGS__)                                                \
    form(512, 16, 16, 16, 2, 1, 8, 2, __VA_ARGS__)                                                 \
    form(1024, 16, 16, 16, 4, 1, 4, 2, __VA_ARGS__)                                                \
    form(2048, 16, 16, 16, 8, 1, 2, 2, __VA_ARGS__)                                                \
    form(4096, 16, 16, 16, 16, 1, 1, 2, __VA_ARGS__)                                               \
    form(8192, 16, 16, 16, 16, 2, 1, 1, __VA_ARGS__)                                               \
    form(16384, 16, 16, 16, 16, 4, 1, 1, __VA_ARGS__)

/*
 * Two kernels: columns of n1 points, then rows of n2. A tile of columns that is too wide for the
 * shared memory of a device is followed by a narrower one.
 */
#define COLUMNS_FORMS(form, ...)                                                                   \
    form(128, 16, 16, 8, 1, 1, 32, 2, __VA_ARGS__)                                                 \
    form(256, 16, 16, 16, 1, 1, 32, 1, __VA_ARGS__)                                                \
    form(512, 16, 16, 16, 2, 1, 16, 1, __VA_ARGS__)                                                \
    form(1024, 32, 32, 32, 1, 1, 16, 1, __VA_ARGS__)                                               \
    form(1024, 16, 16, 16, 4, 1, 4, 2, __VA_ARGS__)                                                \
    form(2048, 32, 32, 32, 2, 1, 8, 1, __VA_ARGS__)                                                \
    form(2048, 16, 16, 16, 8, 1, 2, 2, __VA_ARGS__)

/*
 * Long frames without density in one kernel, where the points between columns and rows stay in the
 * second-level cache (spectrum_relay.h, 9.0 and up): the mean alone, and all detectors.
 *
 *     n, points of a row, radices of a row, rows per block
 *
 * A block computes RELAY_WIDTH columns of RELAY_COLUMNS points at the same time: as many points.
 */
#define RELAY_COLUMNS 256
#define RELAY_WIDTH   16
#define RELAY_THREADS 256 /* of columns, and of rows */
#define RELAY_WAITING 128 /* four warps, each with a thread that waits */
#define RELAY_STAGES  2
#define RELAY_FORMS(form, ...)                                                                     \
    form(131072, 512, 16, 16, 2, 8, __VA_ARGS__)                                                   \
    form(262144, 1024, 16, 16, 4, 4, __VA_ARGS__)                                                  \
    form(524288, 2048, 16, 16, 8, 2, __VA_ARGS__)

/* The mean alone, and all detectors. Long rows have few threads with many registers. */
#define ROWS_FORMS(form, ...)                                                                      \
    form(64, 16, 16, 4, 1, 1, 32, 2, __VA_ARGS__)                                                  \
    form(128, 16, 16, 8, 1, 1, 32, 2, __VA_ARGS__)                                                 \
    form(2048, 16, 16, 16, 8, 1, 2, 2, __VA_ARGS__)                                                \
    form(4096, 16, 16, 16, 16, 1, 1, 2, __VA_ARGS__)                                               \
    form(8192, 32, 32, 16, 16, 1, 1, 1, __VA_ARGS__)

#define ROWS_MEAN_FORMS(form, ...)                                                                 \
    ROWS_FORMS(form, __VA_ARGS__)                                                                  \
    form(256, 16, 16, 16, 1, 1, 16, 2, __VA_ARGS__)                                                \
    form(512, 16, 16, 16, 2, 1, 8, 2, __VA_ARGS__)                                                 \
    form(1024, 16, 16, 16, 4, 1, 4, 2, __VA_ARGS__)

/*
 * All detectors: three accumulators take registers from the roots of the last pass, which spill
 * with 16 points a thread. Short rows have 8. Frames of 256K points are quicker with rows of 512
 * points than with rows of 1024.
 */
#define ROWS_DETECTORS_FORMS(form, ...)                                                            \
    ROWS_FORMS(form, __VA_ARGS__)                                                                  \
    form(256, 8, 8, 8, 4, 1, 8, 3, __VA_ARGS__)                                                    \
    form(512, 8, 8, 8, 8, 1, 4, 3, __VA_ARGS__)

/* clang-format on */

#endif
