/*
 * form.h - the kernels' forms as data: which exist, how they are called, what they take of a
 * device.
 *
 * The rows come from kernels/cuda/forms.h, from which the kernels are instantiated, too.
 */
#ifndef FFTD_FFT_CUDA_FORM_H
#define FFTD_FFT_CUDA_FORM_H

#include "fft/cuda/plan.h"

enum { FORM_PASSES = 4 };

struct cuda_form {
    uint32_t n;                        /* points of a row */
    uint32_t points;                   /* of one thread */
    uint32_t radix[FORM_PASSES];       /* 1: no such pass */
    uint32_t rows, blocks;             /* rows a block, blocks a processor */
    const char *names[FFT_IQ_FORMATS]; /* of the kernels; rows: [0] mean, [1] traces */
};

/* NULL: there is none of this length. */
/* The widest that fits into so much shared memory, as in cuda_form_columns. */
const struct cuda_form *cuda_form_bulk(uint32_t n, enum fft_iq_format format, bool mean_alone,
                                       uint32_t shared);
const struct cuda_form *cuda_form_plain(uint32_t n);
const struct cuda_form *cuda_form_traces(uint32_t n);
const struct cuda_form *cuda_form_columns(uint32_t n, uint32_t shared);
const struct cuda_form *cuda_form_rows(uint32_t n);

uint32_t cuda_form_threads(const struct cuda_form *form);
uint32_t cuda_form_passes(const struct cuda_form *form);
/* Sub-transforms of how many points pass number `pass` joins. */
uint32_t cuda_form_joined(const struct cuda_form *form, uint32_t pass);
/* Twiddles of the passes before `pass`, pass 0 having none: where its table begins. */
size_t cuda_form_twiddles_at(const struct cuda_form *form, uint32_t pass);
/* The same where pass 0 has roots, too (rows). */
size_t cuda_form_roots_at(const struct cuda_form *form, uint32_t pass);

/* Dynamic shared memory of a block. */
uint32_t cuda_form_shared_bulk(const struct cuda_form *form, enum fft_iq_format format);
uint32_t cuda_form_shared_plain(const struct cuda_form *form); /* or traces */
uint32_t cuda_form_shared_columns(const struct cuda_form *form);
/* copies: in bulk, two rows ahead. */
uint32_t cuda_form_shared_rows(const struct cuda_form *form, bool copies);

#endif
