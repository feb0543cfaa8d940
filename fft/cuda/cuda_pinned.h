/*
 * cuda_pinned.h - pinned host memory, which a GPU reads and writes directly.
 *
 * The memory is either allocated pinned or pinned in place. The IQ ring is one block mapped twice,
 * back to back. Only the first mapping is pinned, so a span that leaves it continues at the start
 * of the ring.
 */
#ifndef FFTD_FFT_CUDA_CUDA_PINNED_H
#define FFTD_FFT_CUDA_CUDA_PINNED_H

#include "fft/cuda/cuda_driver.h"

/* A block pinned for every context. The calls need a current context. */
struct cuda_pinned {
    void *memory;
    size_t bytes;
    cuda_address address; /* device address */
};

int cuda_pinned_alloc(struct cuda_pinned *p, const struct cuda_driver *d, size_t bytes,
                      struct fft_reason why);
void cuda_pinned_free(struct cuda_pinned *p, const struct cuda_driver *d);

struct cuda_pinned_region {
    const char *memory;
    size_t bytes;
    cuda_address address; /* 0: a device can copy from it, but not read it */
};

/* Pins [memory, memory + bytes), or says why not: a driver may refuse any memory. */
int cuda_pinned_register(struct cuda_pinned_region *r, const struct cuda_driver *d,
                         const void *memory, size_t bytes, struct fft_reason why);
void cuda_pinned_unregister(struct cuda_pinned_region *r, const struct cuda_driver *d);

/* Is [span, span + bytes) in the region or in its second mapping? */
bool cuda_pinned_contains(const struct cuda_pinned_region *r, const void *span, size_t bytes);
/* Device address of the span if all of it is in the first mapping; else 0. */
cuda_address cuda_pinned_address(const struct cuda_pinned_region *r, const void *span,
                                 size_t bytes);

#endif
