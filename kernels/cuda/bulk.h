/*
 * bulk.h - copies into shared memory while the threads compute. Bulk copies: from compute
 * capability 9.0 on, a copy engine moves consecutive bytes and signals an mbarrier. Unit copies:
 * each thread moves 16 bytes at a time, and waits for its own.
 *
 * Addresses and sizes are multiples of 16 bytes. A buffer that threads have read may be refilled
 * only after a barrier of these threads: bulk_copy has the fence that orders it after their reads.
 */
#ifndef FFTD_KERNELS_CUDA_BULK_H
#define FFTD_KERNELS_CUDA_BULK_H

#include "kernels/cuda/device.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

DEVICE unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* Call in one thread; the others see it after the next barrier. A phase is `copies` copies. */
DEVICE void bulk_open(uint64_t *barrier, unsigned copies = 1)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n"
                 "fence.mbarrier_init.release.cluster;" ::"r"(shared_address(barrier)),
                 "r"(copies)
                 : "memory");
}

DEVICE void bulk_copy(void *to, const void *from, unsigned bytes, uint64_t *barrier)
{
    asm volatile("fence.proxy.async.shared::cta;\n"
                 "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%3], %2;\n"
                 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 " [%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}

/*
 * Refills 16 bytes after a barrier of the threads that read them: of a warp, if its threads alone
 * did.
 */
DEVICE void unit_copy(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from)
                 : "memory");
}
/* The copies of this thread have arrived; after a barrier, those of other threads, too. */
DEVICE void unit_wait()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

/* Prefetches into the second-level cache without a wait. `from` is rounded down. */
DEVICE void bulk_prefetch(const void *from, unsigned bytes)
{
    asm volatile(
        "cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"((uintptr_t)from & ~(uintptr_t)15),
        "r"(bytes)
        : "memory");
}

/* Back to global memory; call in one thread, after bulk_written in all and a barrier of them. */
DEVICE void bulk_store(void *to, const void *from, unsigned bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
                 "cp.async.bulk.commit_group;" ::"l"(to),
                 "r"(shared_address(from)), "r"(bytes)
                 : "memory");
}

/* Orders the writes of a thread to shared memory before a later bulk_store. */
DEVICE void bulk_written()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* Returns when the thread's stores have read shared memory, which it may then leave. */
DEVICE void bulk_stored()
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

/* Call in all threads that read the bytes. phase: number of earlier phases of this barrier. */
DEVICE void bulk_wait(uint64_t *barrier, unsigned phase)
{
    asm volatile("{\n"
                 ".reg .pred copied;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 copied, [%0], %1;\n"
                 "@!copied bra again;\n"
                 "}" ::"r"(shared_address(barrier)),
                 "r"(phase % 2)
                 : "memory");
}

#elif defined(__CUDACC__)

/* Older chips: the planner never launches kernels with bulk copies there. */
DEVICE void bulk_open(uint64_t *, unsigned = 1)
{
    __trap();
}
DEVICE void bulk_copy(void *, const void *, unsigned, uint64_t *)
{
    __trap();
}
DEVICE void bulk_prefetch(const void *, unsigned)
{
    __trap();
}
DEVICE void bulk_store(void *, const void *, unsigned)
{
    __trap();
}
DEVICE void bulk_written()
{
    __trap();
}
DEVICE void bulk_stored()
{
    __trap();
}
DEVICE void bulk_wait(uint64_t *, unsigned)
{
    __trap();
}
DEVICE void unit_copy(void *, const void *)
{
    __trap();
}
DEVICE void unit_wait()
{
    __trap();
}

#endif

#endif
