/*
 * real.h - a real pass (PASS_R2C, PASS_C2R) built on the host from an engine's complex passes.
 *
 * For engines without real passes of their own; the cpu engine has them in vector code
 * (fft/cpu/transform/cpu_halves.c). With a device it is slow: the rows are mapped, separated or
 * joined by the processor, and unmapped.
 *
 * n even: the reals are taken as n/2 complex points, z[j] = x[2j] + i x[2j+1], and the spectra of
 * the even and the odd samples are separated (or joined) by their symmetry, with Z[n/2] = Z[0]:
 *
 *     E = (Z[k] + conj Z[n/2-k]) / 2,  O = (Z[k] - conj Z[n/2-k]) / 2i,  X[k] = E + w_n^k O
 *
 * n odd: through all n complex points. Rows go through a work block, some at a time, so any strides
 * and work in place need no more memory than that block. Separating and joining are computed in
 * double, with one rounding. Internal to the library.
 */
#ifndef FFTD_FFT_REAL_H
#define FFTD_FFT_REAL_H

#include "fft/engine.h"
#include "fft/twiddle.h"

struct real {
    const struct engine_pass *pass; /* the real pass; n reals in a row */
    uint32_t points;                /* complex points of its rows: n/2 or n */
    size_t total;                   /* rows */
    uint32_t chunk;                 /* rows in the work block */
    struct fft_buffer *work;        /* struct fft_iq [chunk][points] */
    struct root *roots;             /* [points/2 + 1]: w_n^k; n even */
    struct engine_pass inner;       /* in place on work */
};

/* 0, -ENOMEM or -ENOTSUP; finish follows also after a failure. p must not be moved until then. */
int fft_real_init(struct real *r, const struct engine_pass *p, struct fft_reason why);
void fft_real_finish(struct real *r); /* a zeroed one is fine */
/* from and to may be the same buffer if the strides agree (engine.h). 0 or the engine's error. */
int fft_real_run(struct real *r, struct fft_buffer *from, struct fft_buffer *to);

#endif
