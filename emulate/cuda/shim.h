/*
 * shim.h - CUDA's names for a C++ compiler: kernels/cuda/ becomes plain functions, one fibre a CUDA
 * thread (emulate.cpp). Proves index logic and barriers that are missing for good; a race it sees
 * only where the order of the fibres shows it.
 */
#ifndef FFTD_EMULATE_CUDA_SHIM_H
#define FFTD_EMULATE_CUDA_SHIM_H

#include <cmath>
#include <cstddef>
#include <cstdint>

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define SHARED_MEMORY(name) unsigned char *const name = shim_shared()

struct shim_index {
    unsigned x, y, z;
};
extern shim_index threadIdx, blockIdx, blockDim, gridDim; /* threadIdx: of the fibre that runs */

unsigned char *shim_shared();
size_t shim_shared_bytes();
void __syncthreads();
void __syncwarp();
inline void __threadfence_system()
{
}
void shim_row_barrier(int row, int threads);
float shim_from_lane(float v, int phase); /* what lane (own ^ phase) of the warp has */
unsigned shim_cluster_rank();
void *shim_cluster_shared(void *mine, unsigned rank); /* the same place in another block's */
void shim_cluster_barrier();

template <class T> inline T __ldg(const T *p)
{
    return *p;
}

/* The upper half of a product. */
inline uint32_t __umulhi(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}

inline uint32_t atomicAdd(uint32_t *p, uint32_t value)
{
    const uint32_t before = *p;
    *p += value;
    return before;
}

/* The copy engine at its worst: a stage is garbage from the moment a copy is asked for, and whole
 * when somebody has waited for it. */
void bulk_open(uint64_t *barrier);
void bulk_copy(void *to, const void *from, unsigned bytes, uint64_t *barrier);
void bulk_prefetch(const void *from, unsigned bytes); /* reads them: they have to be there */
void bulk_wait(uint64_t *barrier, unsigned phase);

#endif
