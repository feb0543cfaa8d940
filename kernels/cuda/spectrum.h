/* spectrum.h - names the kernels of forms.h that read raw samples, for one format. */
#ifndef FFTD_KERNELS_CUDA_SPECTRUM_H
#define FFTD_KERNELS_CUDA_SPECTRUM_H

#include "kernels/cuda/forms.h"
#include "kernels/cuda/spectrum_block.h"
#include "kernels/cuda/spectrum_split.h"

#define MEAN_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, format)                                    \
    KERNEL(n / e * rows, blocks)                                                                   \
    spectrum_mean_##format##_##n(const __grid_constant__ spectrum_args a)                          \
    {                                                                                              \
        spectrum_block<block_form<shape<n, e, r0, r1, r2, r3>, format, rows, true>, mean_fold<e>>( \
            a);                                                                                    \
    }

#define TRACES_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, format)                                  \
    KERNEL(n / e * rows, blocks)                                                                   \
    spectrum_traces_##format##_##n(const __grid_constant__ spectrum_args a)                        \
    {                                                                                              \
        spectrum_block<block_form<shape<n, e, r0, r1, r2, r3>, format, rows, false>,               \
                       traces_fold<e>>(a);                                                         \
    }

#define COLUMNS_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, format)                                 \
    KERNEL(n / e * rows, blocks)                                                                   \
    columns_##format##_##n##x##rows(const __grid_constant__ spectrum_args a)                       \
    {                                                                                              \
        spectrum_columns<shape<n, e, r0, r1, r2, r3>, format, rows>(a);                            \
    }

#define SPECTRUM_KERNELS(format)                                                                   \
    MEAN_FORMS(MEAN_KERNEL, format)                                                                \
    TRACES_FORMS(TRACES_KERNEL, format)                                                            \
    COLUMNS_FORMS(COLUMNS_KERNEL, format)

#endif
