/*
 * cuda_form.h - kernel forms as data: which exist, their names, and the resources that they need.
 *
 * A form is one way to compute one length. The rows come from kernels/cuda/forms.h, which also
 * instantiates the kernels.
 */
#ifndef FFTD_FFT_CUDA_CUDA_FORM_H
#define FFTD_FFT_CUDA_CUDA_FORM_H

#include "fft/cuda/cuda_plan.h"

enum { FORM_PASSES = 4 };

struct cuda_form {
    uint32_t n;                  /* points in a row */
    uint32_t points;             /* bins that a thread folds or stores; its points, but for pairs */
    uint32_t radix[FORM_PASSES]; /* 1: no such pass */
    uint32_t rows, blocks;       /* rows per block, blocks per multiprocessor */
    uint32_t parts, sharing;     /* of a row, each with these radices; blocks of its cluster */
    const char *names[FFT_IQ_FORMATS]; /* kernel names by format; row forms: [0] */
};

/* Each returns the form for n, or NULL if there is none. */
/*
 * Frames without density. The first form that fits into `shared` bytes of shared memory, as does
 * cuda_form_columns.
 */
const struct cuda_form *cuda_form_bulk(uint32_t n, enum fft_iq_format format, bool mean_alone,
                                       uint32_t shared);
const struct cuda_form *cuda_form_plain(uint32_t n);
const struct cuda_form *cuda_form_single(uint32_t n);
const struct cuda_form *cuda_form_detectors(uint32_t n);
const struct cuda_form *cuda_form_columns(uint32_t n, uint32_t shared);
const struct cuda_form *cuda_form_rows(uint32_t n, bool mean_alone);
/* Its fields describe the rows, of n / RELAY_COLUMNS points. The columns are those of any n. */
const struct cuda_form *cuda_form_relay(uint32_t n, bool mean_alone);
const struct cuda_form *cuda_form_relay_columns(void);

/* Are the blocks that share a row a cluster? Then a thread divides one column, or half of one. */
bool cuda_form_is_cluster(const struct cuda_form *form);
uint32_t cuda_form_threads(const struct cuda_form *form);
uint32_t cuda_form_passes(const struct cuda_form *form);
/* Length of the sub-transforms that pass number `pass` joins. */
uint32_t cuda_form_joined(const struct cuda_form *form, uint32_t pass);
/* Offset of the table of `pass`: the twiddles of the passes before it. Pass 0 has none. */
size_t cuda_form_twiddles_at(const struct cuda_form *form, uint32_t pass);
/* The same for forms whose pass 0 has roots, too (rows). */
size_t cuda_form_roots_at(const struct cuda_form *form, uint32_t pass);

/* Dynamic shared memory of a block. */
uint32_t cuda_form_shared_bulk(const struct cuda_form *form, enum fft_iq_format format);
uint32_t cuda_form_shared_plain(const struct cuda_form *form); /* or detectors */
uint32_t cuda_form_shared_single(const struct cuda_form *form);
uint32_t cuda_form_shared_columns(const struct cuda_form *form);
/* copies: by bulk copy, two rows ahead. */
uint32_t cuda_form_shared_rows(const struct cuda_form *form, bool copies);
uint32_t cuda_form_shared_relay(const struct cuda_form *form, bool mean_alone);

#endif
