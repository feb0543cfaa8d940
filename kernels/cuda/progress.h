/*
 * progress.h - what the threads of a kernel wait for beside barriers and copies (compute
 * capability 9.0 and up): arrivals, counted in shared memory, and counters in device memory, which
 * other blocks raise.
 *
 * Phases of arrivals are told apart by one bit: nobody may arrive in the phase after next before
 * all threads that wait for a phase have seen it.
 */
#ifndef FFTD_KERNELS_CUDA_PROGRESS_H
#define FFTD_KERNELS_CUDA_PROGRESS_H

#include "kernels/cuda/bulk.h"

#ifndef __CUDACC__

#define arrivals_open  shim_arrivals_open
#define arrive         shim_arrive
#define arrivals_wait  shim_arrivals_wait
#define counter_raise  shim_counter_raise
#define counter_wait   shim_counter_wait
#define show_to_copies shim_show_to_copies

#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

/* Call in one thread; the others see it after the next barrier. A phase is `members` arrivals. */
DEVICE void arrivals_open(uint64_t *arrivals, unsigned members)
{
    bulk_open(arrivals, members);
}
/* Earlier accesses of this thread come before all that others do after they waited for the phase.
 */
DEVICE void arrive(uint64_t *arrivals)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(arrivals))
                 : "memory");
}
/* phase: number of earlier phases. */
DEVICE void arrivals_wait(uint64_t *arrivals, unsigned phase)
{
    bulk_wait(arrivals, phase);
}

/* All that this thread has done or seen comes before what others do after they waited. */
DEVICE void counter_raise(uint32_t *counter)
{
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
}
DEVICE void counter_wait(const uint32_t *counter, uint32_t least)
{
    uint32_t now;
    do
        asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(counter) : "memory");
    while (now < least);
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

/* Bulk copies that this thread requests read what it has waited for. */
DEVICE void show_to_copies()
{
    asm volatile("fence.proxy.async.global;" ::: "memory");
}

#else

/* Older chips: the planner never launches such kernels there. */
DEVICE void arrivals_open(uint64_t *, unsigned)
{
    __trap();
}
DEVICE void arrive(uint64_t *)
{
    __trap();
}
DEVICE void arrivals_wait(uint64_t *, unsigned)
{
    __trap();
}
DEVICE void counter_raise(uint32_t *)
{
    __trap();
}
DEVICE void counter_wait(const uint32_t *, uint32_t)
{
    __trap();
}
DEVICE void show_to_copies()
{
    __trap();
}

#endif

#endif
