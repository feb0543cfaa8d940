/*
 * split_barrier.h - barriers in halves (compute capability 9.0 and up): threads arrive, do what
 * needs no barrier, and wait later for the phase that they arrived at. Phases count from 0.
 *
 * A thread arrives again only after it has waited. Writes before an arrival are visible after the
 * wait, in the whole cluster for the functions whose names begin with `cluster`.
 */
#ifndef FFTD_KERNELS_CUDA_SPLIT_BARRIER_H
#define FFTD_KERNELS_CUDA_SPLIT_BARRIER_H

#include "kernels/cuda/bulk.h"

#ifndef __CUDACC__

#define split_open         shim_split_open
#define split_arrive       shim_split_arrive
#define split_wait         shim_split_wait
#define cluster_split_wait shim_split_wait
DEVICE void cluster_split_arrive(uint64_t *barrier, unsigned rank)
{
    shim_split_arrive((uint64_t *)shim_cluster_shared(barrier, rank));
}

#elif !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900

/* Older chips: the planner never launches kernels with such barriers there. */
DEVICE void split_open(uint64_t *, unsigned)
{
    __trap();
}
DEVICE void split_arrive(uint64_t *)
{
    __trap();
}
DEVICE void split_wait(uint64_t *, unsigned)
{
    __trap();
}
DEVICE void cluster_split_arrive(uint64_t *, unsigned)
{
    __trap();
}
DEVICE void cluster_split_wait(uint64_t *, unsigned)
{
    __trap();
}

#else

/* Call in one thread; the others see it after the next barrier. A phase has `arrivals`. */
DEVICE void split_open(uint64_t *barrier, unsigned arrivals)
{
    bulk_open(barrier, arrivals);
}
DEVICE void split_arrive(uint64_t *barrier)
{
    asm volatile(
        "mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
        : "memory");
}
DEVICE void split_wait(uint64_t *barrier, unsigned phase)
{
    bulk_wait(barrier, phase);
}

/* Arrives at the corresponding barrier of block `rank`. */
DEVICE void cluster_split_arrive(uint64_t *barrier, unsigned rank)
{
    asm volatile("{\n"
                 ".reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n"
                 "}" ::"r"(shared_address(barrier)),
                 "r"(rank)
                 : "memory");
}
DEVICE void cluster_split_wait(uint64_t *barrier, unsigned phase)
{
    asm volatile("{\n"
                 ".reg .pred arrived;\n"
                 "again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 arrived, [%0], "
                 "%1;\n"
                 "@!arrived bra again;\n"
                 "}" ::"r"(shared_address(barrier)),
                 "r"(phase % 2)
                 : "memory");
}

#endif

/*
 * One lane arrives for its warp, after __syncwarp, and one warp for its block (meet_at): fewer
 * arrivals. racecheck, a tool of compute-sanitizer, follows neither, and reports hazards where
 * there are none, in kernels of a few lines, too. It follows threads that arrive each by itself:
 * compile with EVERY_THREAD_ARRIVES for it (docs/engines/cuda.md).
 */
#ifdef EVERY_THREAD_ARRIVES
static constexpr bool every_thread_arrives = true;
#else
static constexpr bool every_thread_arrives = false;
#endif

/*
 * Barrier number `number`, from 1, of the T threads of a block: one warp waits for the others,
 * which only arrive.
 */
template <int T> DEVICE void meet_at(int number, bool waits)
{
#ifndef __CUDACC__
    shim_meet(number, T, waits);
#else
    if (waits)
        asm volatile("bar.sync %0, %1;" ::"r"(number), "n"(T) : "memory");
    else
        asm volatile("bar.arrive %0, %1;" ::"r"(number), "n"(T) : "memory");
#endif
}

#endif
