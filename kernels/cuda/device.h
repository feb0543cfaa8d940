/*
 * device.h - common base of all kernel files: names of CUDA (or their emulation, when compiled for
 * the CPU), compile-time loops and barriers.
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
/* Also evaluated at compile time, and on the host. */
#define CONSTANT static constexpr __host__ __device__ __forceinline__
/*
 * A kernel of at most `threads` threads per block, of which `blocks` are to fit into a
 * multiprocessor.
 */
#define KERNEL(threads, blocks) extern "C" __global__ void __launch_bounds__(threads, blocks)

/* A compile-time index: a template argument in the form of a function argument. */
template <int Value> struct known {
    static constexpr int value = Value;
    __host__ __device__ constexpr operator int() const
    {
        return Value;
    }
};

/* Values that are moved as one word. */
template <class T, int count> struct alignas(count * sizeof(T)) adjacent {
    T at[count];
};

/* Calls f(known<From>), f(known<From + 1>), ... up to To - 1, unrolled. */
template <int From, int To, class Body> DEVICE void unroll(Body &&body)
{
    if constexpr (From < To) {
        body(known<From>{});
        unroll<From + 1, To>(body);
    }
}

/*
 * The same pointer, opaque to the compiler: reads through it stay inside a loop. A table that the
 * compiler hoists out of the loop takes registers that are not free, and spills to local memory.
 */
template <class T> DEVICE const T *opaque(const T *p)
{
#ifdef __CUDACC__
    asm volatile("" : "+l"(p));
#endif
    return p;
}
/* The same for a number. */
DEVICE uint32_t opaque(uint32_t x)
{
#ifdef __CUDACC__
    asm volatile("" : "+r"(x));
#endif
    return x;
}

CONSTANT int reversed_bits(int i, int count)
{
    int reversed = 0;
    for (int bit = 1; bit < count; bit *= 2, i /= 2)
        reversed = 2 * reversed + i % 2;
    return reversed;
}

/* For points that are read or written once: caches should keep other data. */
DEVICE point load_once(const point *p)
{
#ifdef __CUDACC__
    const float2 v = __ldcs((const float2 *)p);
    return {v.x, v.y};
#else
    return *p;
#endif
}
/* The same for samples. */
#ifdef __CUDACC__
DEVICE unsigned short load_once(const unsigned short *p)
{
    return __ldcs(p);
}
DEVICE unsigned load_once(const unsigned *p)
{
    return __ldcs(p);
}
#else
template <class T> DEVICE T load_once(const T *p)
{
    return *p;
}
#endif
/* For a point that is constant during the launch. */
DEVICE point load_constant(const point *p)
{
#ifdef __CUDACC__
    const float2 v = __ldg((const float2 *)p);
    return {v.x, v.y};
#else
    return *p;
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

/* The value of lane (own ^ mask) of the warp. */
#ifdef __CUDACC__
DEVICE float from_lane(float v, int mask)
{
    return __shfl_xor_sync(0xffffffffU, v, mask);
}
#else
#define from_lane shim_from_lane
#endif

/* Barrier number 1 .. 15 of a block, of whole warps, T threads in all. */
template <int T> DEVICE void group_barrier(int number)
{
    if constexpr (T <= 32)
        __syncwarp();
    else
#ifdef __CUDACC__
        asm volatile("bar.sync %0, %1;" ::"r"(number), "n"(T) : "memory");
#else
        shim_group_barrier(number, T);
#endif
}

/* Barrier of the T threads of row number `row` in a block of `rows` rows. */
template <int T, int rows> DEVICE void row_barrier(int row)
{
    if constexpr (T > 32 && rows == 1)
        __syncthreads();
    else
        group_barrier<T>(row + 1);
}

/* Signals the host through mapped memory that all writes of this block are complete. */
DEVICE void signal_done(uint32_t *done)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();
        *(volatile uint32_t *)done = 1;
    }
}

#endif
