/*
 * layout.h - where a transform's elements are: completes, checks and compares layouts.
 *
 * Internal to the library. Pure functions.
 */
#ifndef FFTD_FFT_LAYOUT_H
#define FFTD_FFT_LAYOUT_H

#include "fft/engine.h"

/* One side of a transform. */
struct side {
    bool real; /* float elements, else struct fft_iq */
    uint32_t rank, batch;
    uint32_t n[FFT_TRANSFORM_MAX_RANK]; /* the last one n/2 + 1 on the complex side of a real one */
    struct fft_transform_layout layout;
    size_t bytes; /* from the first element to the end of the last one */
};

/*
 * The two sides of a config, packed layouts filled in. -EINVAL: an output overlaps itself, a stride
 * is too large, or the layouts cannot work in place.
 */
int fft_layout_sides(const struct fft_transform_config *config, struct side *in, struct side *out,
                     struct fft_reason why);

/*
 * A packed array of complex points between two passes, in the order that rotate-on-store
 * produces: axis `done` outermost, axis `next` innermost.
 */
struct side fft_layout_between(const struct side *shape, uint32_t done, uint32_t next);

/* Copies a side's elements, and no other bytes, to memory of the same layout. */
void fft_layout_copy(const struct side *s, void *to, const void *from);

#endif
