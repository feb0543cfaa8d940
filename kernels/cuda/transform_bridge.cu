/*
 * transform_bridge.cu - the second kernel of a long row, and both kernels in one for a cluster of
 * blocks, also of real rows.
 */
#include "kernels/cuda/transform_cluster.h"
#include "kernels/cuda/transform_forms.h"

#define BRIDGE_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, ...)                                     \
    KERNEL(n / e * rows, blocks)                                                                   \
    transform_bridge_##n##x##rows(const __grid_constant__ pass_args a)                             \
    {                                                                                              \
        transform_tile<shape<n, e, r0, r1, r2, r3>, rows, TRANSPOSE, true>(a);                     \
    }
#define CLUSTER_KERNEL(name, n, e, n2, c0, c1, n1, r0, r1, blocks, resident, kind)                 \
    KERNEL(n / blocks / e, resident) transform_##name##_##n(const __grid_constant__ pass_args a)   \
    {                                                                                              \
        transform_cluster<cluster_form<shape<n2, e, c0, c1>, shape<n1, e, r0, r1>, blocks, kind>>( \
            a);                                                                                    \
    }
#define CLUSTER_KERNELS(...)                                                                       \
    CLUSTER_KERNEL(cluster, __VA_ARGS__ POINTS_TO_POINTS)                                          \
    CLUSTER_KERNEL(cluster_part, __VA_ARGS__ REALS_TO_BINS)                                        \
    CLUSTER_KERNEL(cluster_join, __VA_ARGS__ BINS_TO_REALS)

BRIDGE_FORMS(BRIDGE_KERNEL)
CLUSTER_FORMS(CLUSTER_KERNELS)
