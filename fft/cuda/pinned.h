/*
 * pinned.h - memory of the host that a GPU reads and writes by itself.
 *
 * Either taken pinned, or pinned where it lies. The IQ ring is one block mapped twice, back to
 * back; only its first mapping is pinned, so a span that leaves it is read on from the beginning.
 */
#ifndef FFTD_FFT_CUDA_PINNED_H
#define FFTD_FFT_CUDA_PINNED_H

#include "fft/cuda/driver.h"

/* For every context. Calls need a current one. */
struct cuda_pinned {
    void *memory;
    size_t bytes;
    cuda_address address; /* as a device sees it */
};

int cuda_pinned_alloc(struct cuda_pinned *p, const struct cuda_driver *d, size_t bytes,
                      struct reason why);
void cuda_pinned_free(struct cuda_pinned *p, const struct cuda_driver *d);

struct cuda_pinned_region {
    const char *memory;
    size_t bytes;
    cuda_address address; /* 0: a device can copy from it, but not read it */
};

/* Pins [memory, memory + bytes), or says why not: a driver may refuse any memory it likes. */
int cuda_pinned_register(struct cuda_pinned_region *r, const struct cuda_driver *d,
                         const void *memory, size_t bytes, struct reason why);
void cuda_pinned_unregister(struct cuda_pinned_region *r, const struct cuda_driver *d);

/* Is [span, span + bytes) in the region or in its second mapping? */
bool cuda_pinned_holds(const struct cuda_pinned_region *r, const void *span, size_t bytes);
/* Its address on a device, if all of it lies in the first mapping; else 0. */
cuda_address cuda_pinned_address(const struct cuda_pinned_region *r, const void *span,
                                 size_t bytes);
/* The pinned piece at the head of [span, span + bytes): its address and length. */
const void *cuda_pinned_piece(const struct cuda_pinned_region *r, const void *span, size_t *bytes);

#endif
