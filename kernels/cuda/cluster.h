/*
 * cluster.h - cluster operations (compute capability 9.0 and up): the blocks of a cluster run at
 * the same time, write to the shared memory of one another and share a barrier.
 */
#ifndef FFTD_KERNELS_CUDA_CLUSTER_H
#define FFTD_KERNELS_CUDA_CLUSTER_H

#include "kernels/cuda/device.h"

#ifndef __CUDACC__

#define cluster_rank    shim_cluster_rank
#define cluster_barrier shim_cluster_barrier
#define cluster_arrive  shim_cluster_barrier
DEVICE void cluster_wait()
{
}
DEVICE point *cluster_shared(point *mine, unsigned rank)
{
    return (point *)shim_cluster_shared(mine, rank);
}

#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900

/* Older chips: the planner never launches kernels with clusters there. */
DEVICE unsigned cluster_rank()
{
    __trap();
    return 0;
}
DEVICE void cluster_barrier()
{
    __trap();
}
DEVICE void cluster_arrive()
{
    __trap();
}
DEVICE void cluster_wait()
{
    __trap();
}
DEVICE point *cluster_shared(point *mine, unsigned)
{
    __trap();
    return mine;
}

#else

DEVICE unsigned cluster_rank()
{
    return __clusterRelativeBlockRank();
}
/* The halves of the barrier below: what a thread does between them need not wait. */
DEVICE void cluster_arrive()
{
    __cluster_barrier_arrive();
}
DEVICE void cluster_wait()
{
    __cluster_barrier_wait();
}
/* Barrier of all threads of all blocks. Earlier writes to shared memory are visible after it. */
DEVICE void cluster_barrier()
{
    cluster_arrive();
    cluster_wait();
}
/* Address in block `rank` that corresponds to `mine`. */
DEVICE point *cluster_shared(point *mine, unsigned rank)
{
    return (point *)__cluster_map_shared_rank(mine, rank);
}

#endif

#endif
