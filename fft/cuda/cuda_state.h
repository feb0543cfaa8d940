/* cuda_state.h - state of an open CUDA engine: its driver, devices, and the stream of its
 * transforms. */
#ifndef FFTD_FFT_CUDA_CUDA_STATE_H
#define FFTD_FFT_CUDA_CUDA_STATE_H

#include <pthread.h>

#include "fft/cuda/cuda_device.h"
#include "fft/cuda/cuda_pinned.h"

enum { CUDA_MAX_DEVICES = 16 };

struct cuda_engine {
    struct cuda_driver driver;
    struct cuda_device devices[CUDA_MAX_DEVICES]; /* opened devices */
    uint32_t count;
    /* Buffers and passes are on the first device; all their work runs on this stream. */
    struct CUstream_st *stream;
    /*
     * Memory can be pinned only once. Plans with the same memory (the old and new plan of a ring)
     * share the region. Guarded by lock.
     */
    pthread_mutex_t lock;
    struct cuda_pinned_region ring;
    uint32_t ring_users;
};

#endif
