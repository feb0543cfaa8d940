/*
 * device.h - what every kernel file begins with: CUDA's names, or, where the kernels are compiled for
 * the CPU by the tests, stand-ins for them. Also compile-time loops and barriers.
 */
#ifndef FFTD_KERNELS_CUDA_DEVICE_H
#define FFTD_KERNELS_CUDA_DEVICE_H

#include "kernels/cuda/args.h"

#ifdef __CUDACC__
#define SHARED_MEMORY(name) extern __shared__ __align__(128) unsigned char name[]
#else
#include "tests/cuda/shim.h"
#endif

#define DEVICE static __device__ __forceinline__
#define METHOD __device__ __forceinline__
/* Also evaluated by the compiler, and on the host. */
#define CONSTANT static constexpr __host__ __device__ __forceinline__

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

CONSTANT int reversed_bits(int i, int count)
{
    int reversed = 0;
    for (int bit = 1; bit < count; bit *= 2, i /= 2)
        reversed = 2 * reversed + i % 2;
    return reversed;
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

#endif
