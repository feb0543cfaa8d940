/* spectrum.h - instantiates the kernels of forms.h that read raw samples of one format. */
#ifndef FFTD_KERNELS_CUDA_SPECTRUM_H
#define FFTD_KERNELS_CUDA_SPECTRUM_H

#include "kernels/cuda/forms.h"
#include "kernels/cuda/spectrum_block.h"
#include "kernels/cuda/spectrum_cluster.h"
#include "kernels/cuda/spectrum_pairs.h"
#include "kernels/cuda/spectrum_parts.h"
#include "kernels/cuda/spectrum_relay.h"
#include "kernels/cuda/spectrum_single.h"
#include "kernels/cuda/spectrum_split.h"

#define BLOCK_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, name, format, loading, fold)              \
    KERNEL(n / e * rows, blocks) spectrum_##name(const __grid_constant__ spectrum_args a)          \
    {                                                                                              \
        spectrum_block<block_form<shape<n, e, r0, r1, r2, r3>, format, rows, loading>, fold<e>>(   \
            a);                                                                                    \
    }

#define MEAN_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, format)                                    \
    BLOCK_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, mean_##format##_##n##x##rows, format,         \
                 LOAD_BULK, mean_fold)

#define PLAIN_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, format)                                   \
    BLOCK_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, plain_##format##_##n, format,                 \
                 (e <= 16 ? LOAD_EARLY : LOAD_LATE), mean_fold)

#define SINGLE_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, format)                                  \
    KERNEL(n / e, blocks) spectrum_single_##format##_##n(const __grid_constant__ spectrum_args a)  \
    {                                                                                              \
        spectrum_single<shape<n, e, r0, r1, r2, r3>, format>(a);                                   \
    }

#define DETECTORS_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, format)                               \
    BLOCK_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, detectors_##format##_##n, format, LOAD_LATE,  \
                 counting_fold)

#define ALL_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, format)                                     \
    BLOCK_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, all_##format##_##n, format, LOAD_BULK,        \
                 detectors_fold)

#define PAIRS_KERNEL(n, e, r0, r1, pairs, blocks, format)                                          \
    KERNEL(n / e * pairs, blocks)                                                                  \
    spectrum_pairs_##format##_##n(const __grid_constant__ spectrum_args a)                         \
    {                                                                                              \
        spectrum_pairs<pairs_form<shape<n, 2 * e, r0, r1>, format, pairs>>(a);                     \
    }

#define PARTS_OF(n, e, r0, r1, parts, blocks, name, format, fold)                                  \
    KERNEL(n / e, blocks) spectrum_##name(const __grid_constant__ spectrum_args a)                 \
    {                                                                                              \
        spectrum_parts<parts_form<parts, shape<n / parts, e, r0, r1>, format>, fold<e>>(a);        \
    }
#define PARTS_KERNEL(n, e, r0, r1, parts, blocks, format)                                          \
    PARTS_OF(n, e, r0, r1, parts, blocks, parts_##format##_##n, format, detectors_fold)
#define PARTS_MEAN_KERNEL(n, e, r0, r1, parts, blocks, format)                                     \
    PARTS_OF(n, e, r0, r1, parts, blocks, parts_mean_##format##_##n, format, mean_fold)

#define CLUSTER_OF(n, e, r0, r1, parts, cluster, blocks, name, format, fold)                       \
    KERNEL(n / e / cluster, blocks)                                                                \
    spectrum_cluster_##name(const __grid_constant__ spectrum_args a)                               \
    {                                                                                              \
        spectrum_cluster<cluster_frame_form<parts, cluster, shape<n / parts, e, r0, r1>, format>,  \
                         fold<e>>(a);                                                              \
    }
#define CLUSTER_MEAN_KERNEL(n, e, r0, r1, parts, cluster, blocks, format)                          \
    CLUSTER_OF(n, e, r0, r1, parts, cluster, blocks, mean_##format##_##n##x##cluster, format,      \
               mean_fold)
#define CLUSTER_ALL_KERNEL(n, e, r0, r1, parts, cluster, blocks, format)                           \
    CLUSTER_OF(n, e, r0, r1, parts, cluster, blocks, format##_##n##x##cluster, format,             \
               detectors_fold)

#define RELAY_OF(row, r0, r1, r2, rows, name, format, fold)                                        \
    KERNEL(2 * RELAY_THREADS + RELAY_WAITING, 1)                                                   \
    spectrum_##name(const __grid_constant__ spectrum_args a)                                       \
    {                                                                                              \
        typedef relay_form<shape<row, r0, r0, r1, r2>, rows, format> Form;                         \
        spectrum_relay<Form, fold<Form>>(a);                                                       \
    }
#define RELAY_KERNEL(n, row, r0, r1, r2, rows, format)                                             \
    RELAY_OF(row, r0, r1, r2, rows, relay_mean_##format##_##n, format, relay_mean)                 \
    RELAY_OF(row, r0, r1, r2, rows, relay_##format##_##n, format, relay_detectors)

#define COLUMNS_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, format)                                 \
    KERNEL(n / e * rows, blocks)                                                                   \
    columns_##format##_##n##x##rows(const __grid_constant__ spectrum_args a)                       \
    {                                                                                              \
        spectrum_columns<shape<n, e, r0, r1, r2, r3>, format, rows>(a);                            \
    }

#define SPECTRUM_KERNELS(format)                                                                   \
    MEAN_FORMS(MEAN_KERNEL, format)                                                                \
    PLAIN_FORMS(PLAIN_KERNEL, format)                                                              \
    SINGLE_FORMS(SINGLE_KERNEL, format)                                                            \
    ALL_FORMS(ALL_KERNEL, format)                                                                  \
    PAIRS_FORMS(PAIRS_KERNEL, format)                                                              \
    PARTS_FORMS(PARTS_KERNEL, format)                                                              \
    PARTS_MEAN_FORMS(PARTS_MEAN_KERNEL, format)                                                    \
    CLUSTER_MEAN_FORMS(CLUSTER_MEAN_KERNEL, format)                                                \
    CLUSTER_ALL_FORMS(CLUSTER_ALL_KERNEL, format)                                                  \
    DETECTORS_FORMS(DETECTORS_KERNEL, format)                                                      \
    RELAY_FORMS(RELAY_KERNEL, format)                                                              \
    COLUMNS_FORMS(COLUMNS_KERNEL, format)

#endif
