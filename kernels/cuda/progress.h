/*
 * progress.h - counters in device memory by which the blocks of a launch wait for one another
 * (compute capability 9.0 and up): all of these blocks must run at the same time.
 */
#ifndef FFTD_KERNELS_CUDA_PROGRESS_H
#define FFTD_KERNELS_CUDA_PROGRESS_H

#include "kernels/cuda/device.h"

#ifndef __CUDACC__

#define counter_raise  shim_counter_raise
#define counter_wait   shim_counter_wait
#define show_to_copies shim_show_to_copies

#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

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
