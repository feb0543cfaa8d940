/*
 * real.h - the last axis of a transform with a real side, made of an engine's complex passes.
 *
 * n even: the reals are taken as n/2 complex points, z[j] = x[2j] + i x[2j+1], and the spectra of
 * the even and the odd samples are parted (or joined) by their symmetry, with Z[n/2] = Z[0]:
 *
 *     E = (Z[k] + conj Z[n/2-k]) / 2,  O = (Z[k] - conj Z[n/2-k]) / 2i,  X[k] = E + w_n^k O
 *
 * n odd: through all n complex points. Rows go through a work block, some at a time, so that any
 * strides and work in place cost no more than that block. Parting and joining are done in double, with
 * one rounding. Internal to the library.
 */
#ifndef FFTD_FFT_REAL_H
#define FFTD_FFT_REAL_H

#include "fft/layout.h"
#include "fft/twiddle.h"

struct real {
    struct fft_engine *engine;
    bool to_real;
    uint32_t n, points; /* reals in a row, complex points of its pass: n/2 or n */
    size_t from, to;    /* strides along the row, in the elements of each side */
    struct engine_rows rows[3];
    size_t total;            /* rows */
    uint32_t chunk;          /* rows in the work block */
    struct iq *work;         /* [chunk][points] */
    struct root *roots;      /* [points/2 + 1]: w_n^k; n even */
    struct engine_pass pass; /* in place on work */
};

/* The sides are those of the whole transform. 0 or -errno; finish follows also after a failure. */
int real_init(struct real *r, struct fft_engine *e, const struct side *in, const struct side *out);
void real_finish(struct real *r); /* a zeroed one is fine */
/* in and out may be the same memory if the layouts agree (fft.h). 0 or the engine's error. */
int real_run(struct real *r, const void *in, void *out);

#endif
