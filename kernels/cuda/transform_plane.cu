/* transform_plane.cu - kernels of planes: the last two axes of an array in one pass. */
#include "kernels/cuda/transform_forms.h"
#include "kernels/cuda/transform_plane.h"

#define PLANE_KERNEL(rows, n, e, c0, c1, r0, r1, blocks, ...)                                      \
    KERNEL(n / e * rows, blocks)                                                                   \
    transform_plane_##rows##x##n(const __grid_constant__ pass_args a)                              \
    {                                                                                              \
        transform_plane<shape<n, e, r0, r1>, shape<rows, e, c0, c1>>(a);                           \
    }

PLANE_FORMS(PLANE_KERNEL)
