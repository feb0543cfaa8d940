/*
 * device.h - what every kernel file begins with: CUDA's names, or, where the kernels are compiled
 * for the CPU by the tests, stand-ins for them. Also compile-time loops and barriers.
 */
#ifndef FFTD_KERNELS_CUDA_DEVICE_H
#define FFTD_KERNELS_CUDA_DEVICE_H

#include "kernels/cuda/args.h"

#ifdef __CUDACC__
#define SHARED_MEMORY(name) extern __shared__ __align__(128) unsigned char name[]
#else
#include "emulate/cuda/shim.h"
#endif

#define DEVICE static __device__ __forceinline__
#define METHOD __device__ __forceinline__
/* Also evaluated by the compiler, and on the host. */
#define CONSTANT static constexpr __host__ __device__ __forceinline__
/* Of at most so many threads, of whose blocks so many are to fit into a processor. */
#define KERNEL(threads, blocks) extern "C" __global__ void __launch_bounds__(threads, blocks)

/* An index that the compiler knows: a template argument in the shape of a function argument. */
template <int Value> struct known {
    static constexpr int value = Value;
    __host__ __device__ constexpr operator int() const
    {
        return Value;
    }
};

/* f(known<From>), f(known<From + 1>), ... up to To - 1, written out. */
template <int From, int To, class Body> DEVICE void unroll(Body &&body)
{
    if constexpr (From < To) {
        body(known<From>{});
        unroll<From + 1, To>(body);
    }
}

/*
 * The same pointer, but the compiler cannot know: what is read through it in a loop is read there.
 * Tables that it would move out of the loop take registers that are not there, and land in local
 * memory.
 */
template <class T> DEVICE const T *opaque(const T *p)
{
#ifdef __CUDACC__
    asm volatile("" : "+l"(p));
#endif
    return p;
}

CONSTANT int reversed_bits(int i, int count)
{
    int reversed = 0;
    for (int bit = 1; bit < count; bit *= 2, i /= 2)
        reversed = 2 * reversed + i % 2;
    return reversed;
}

/* Points that are read or written once, so that caches had better keep others. */
DEVICE point load_once(const point *p)
{
#ifdef __CUDACC__
    const float2 v = __ldcs((const float2 *)p);
    return {v.x, v.y};
#else
    return *p;
#endif
}
/* A point that nobody writes to. */
DEVICE point load_constant(const point *p)
{
#ifdef __CUDACC__
    const float2 v = __ldg((const float2 *)p);
    return {v.x, v.y};
#else
    return *p;
#endif
}
DEVICE uint32_t bits_reversed(uint32_t v)
{
#ifdef __CUDACC__
    return __brev(v);
#else
    uint32_t reversed = 0;
    for (int bit = 0; bit < 32; bit++)
        reversed |= (v >> bit & 1) << (31 - bit);
    return reversed;
#endif
}
DEVICE void store_once(point *p, point v)
{
#ifdef __CUDACC__
    __stcs((float2 *)p, make_float2(v.re, v.im));
#else
    *p = v;
#endif
}

/* The T threads of row number `row` of a block of `rows` wait for each other. */
template <int T, int rows> DEVICE void row_barrier(int row)
{
    if constexpr (T <= 32)
        __syncwarp();
    else if constexpr (rows == 1)
        __syncthreads();
    else
#ifdef __CUDACC__
        asm volatile("bar.sync %0, %1;" ::"r"(row + 1), "n"(T) : "memory");
#else
        shim_row_barrier(row, T);
#endif
}

/* Tells the host, which looks at mapped memory, that what this block wrote there is complete. */
DEVICE void signal_done(uint32_t *done)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();
        *(volatile uint32_t *)done = 1;
    }
}

#endif
