/* spectrum_rows.cu - instantiates the second kernels of long frames, which read no raw samples. */
#include "kernels/cuda/spectrum.h"

#define ROWS_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, fold)                                      \
    KERNEL(n / e * rows, blocks) rows_##fold##_##n(const __grid_constant__ spectrum_args a)        \
    {                                                                                              \
        spectrum_rows<shape<n, e, r0, r1, r2, r3>, rows, fold##_fold<e>>(a);                       \
    }

ROWS_MEAN_FORMS(ROWS_KERNEL, mean)
ROWS_DETECTORS_FORMS(ROWS_KERNEL, detectors)
