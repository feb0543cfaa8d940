/* state.h - what an open CUDA engine is: its driver, its devices, and the stream of its transforms.
 */
#ifndef FFTD_FFT_CUDA_STATE_H
#define FFTD_FFT_CUDA_STATE_H

#include "fft/cuda/device.h"
#include "fft/cuda/pinned.h"

enum { CUDA_MAX_DEVICES = 16 };

struct cuda_engine {
    struct cuda_driver driver;
    struct cuda_device devices[CUDA_MAX_DEVICES]; /* those that were opened */
    uint32_t count;
    /* Buffers and passes live on the first device; all that is done to them is on this stream. */
    struct CUstream_st *stream;
    /* Memory can be pinned once: plans that name the same (the old and the new one of a ring) share
     * it. */
    struct cuda_pinned_region ring;
    uint32_t ring_users;
};

/* Where trouble at run time is signalled. */
static inline struct reason cuda_trouble(struct fft_engine *e)
{
    return (struct reason){e->trouble, sizeof e->trouble};
}

#endif
