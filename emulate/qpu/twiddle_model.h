/*
 * twiddle_model.h - what twiddles cost in accuracy when recurrences of single floats, rounded
 * toward zero, make them: computed chain by chain, without a transform.
 *
 * hello_fft's signal has two points, bin 1 and the last. What comes of them takes two ways through
 * the butterflies: of the first is turned by one twiddle in the last pass, of the last by every
 * twiddle that there is. Relative errors along a way add up; rounding of the data themselves is
 * left out.
 */
#ifndef FFTD_EMULATE_QPU_TWIDDLE_MODEL_H
#define FFTD_EMULATE_QPU_TWIDDLE_MODEL_H

#include "fft/qpu/plan.h"

enum twiddle_scheme {
    /* A twiddle for each butterfly stage, as A. Holme describes GPU_FFT's ("TW16+0" and so on). */
    TWIDDLE_A_STAGE,
    /* Ours: one for 16 points where they are read, another for each stage beyond. */
    TWIDDLE_A_READ,
};

/* Relative rms error of the signal's transform, in ppm. */
double twiddle_model_ppm(const struct qpu_plan *plan, enum twiddle_scheme scheme);

/* How often a twiddle of the last pass is turned on. */
uint32_t twiddle_model_steps(const struct qpu_plan *plan);

#endif
