/*
 * shim.h - declares the names of CUDA for a C++ compiler: kernels/cuda/ becomes plain functions
 * with one fibre per CUDA thread (emulate.cpp). This finds wrong indices and missing barriers; it
 * finds a race only if the order of the fibres exposes it.
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
extern shim_index threadIdx, blockIdx, blockDim, gridDim; /* threadIdx: of the running fibre */

unsigned char *shim_shared();
size_t shim_shared_bytes();
void __syncthreads();
void __syncwarp();
inline void __threadfence_system()
{
}
void shim_group_barrier(int number, int threads);
void shim_meet(int number, int threads, bool waits); /* without a wait: arrives alone */
/* Barriers in halves (kernels/cuda/split_barrier.h). A phase that a thread waits for too late is an
 * error. */
void shim_split_open(uint64_t *barrier, unsigned arrivals);
void shim_split_arrive(uint64_t *barrier);
void shim_split_wait(uint64_t *barrier, unsigned phase);
float shim_from_lane(float v, int phase);              /* value in lane (own ^ mask) of the warp */
void shim_note_store(const void *at, unsigned bytes);  /* for emulate_last_stores() */
void shim_note_shared(const void *at, unsigned bytes); /* for emulate_last_shared() */
unsigned shim_cluster_rank();
void *shim_cluster_shared(void *mine,
                          unsigned rank); /* the corresponding address in another block */
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

/*
 * The copy engine in its worst case: a stage is undefined from the request of a copy until a thread
 * has waited for it. A source that changes meanwhile is an error.
 */
void bulk_open(uint64_t *barrier, unsigned copies = 1);
void bulk_copy(void *to, const void *from, unsigned bytes, uint64_t *barrier);
void bulk_prefetch(const void *from, unsigned bytes); /* reads the bytes: they must exist */
void bulk_wait(uint64_t *barrier, unsigned phase);
/* Reads the bytes as late as it may: in bulk_stored. */
void bulk_store(void *to, const void *from, unsigned bytes);
void bulk_written();
void bulk_stored();
/* Like bulk_copy and bulk_wait, for the copies of one thread. */
void unit_copy(void *to, const void *from);
void unit_wait();

/* Counters that other blocks raise (kernels/cuda/progress.h). */
void shim_counter_raise(uint32_t *counter);
void shim_counter_wait(const uint32_t *counter, uint32_t least);
inline void shim_show_to_copies()
{
}

#endif
