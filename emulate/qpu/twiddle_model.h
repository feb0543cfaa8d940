/*
 * twiddle_model.h - models the error of a transform whose twiddles come from recurrences of single
 * floats, rounded toward zero. It computes the recurrences alone, without a transform.
 *
 * hello_fft's signal has two points, in bin 1 and in the last bin. They take two paths through the
 * butterflies. The first point is multiplied by one twiddle, in the last pass; the last point is
 * multiplied by every twiddle. Relative errors along a path add up. Rounding of the data is
 * ignored.
 */
#ifndef FFTD_EMULATE_QPU_TWIDDLE_MODEL_H
#define FFTD_EMULATE_QPU_TWIDDLE_MODEL_H

#include "fft/qpu/qpu_plan.h"

enum twiddle_scheme {
    /* A twiddle for each butterfly stage: A. Holme's GPU_FFT ("TW16+0" and so on). */
    TWIDDLE_PER_STAGE,
    /* kernels/qpu: a twiddle for 16 points as they are read, and one for each further stage. */
    TWIDDLE_PER_READ,
};

/* Relative rms error of the signal's transform, in ppm. */
double twiddle_model_ppm(const struct qpu_plan *plan, enum twiddle_scheme scheme);

/* The number of recurrence steps of a twiddle in the last pass. */
uint32_t twiddle_model_steps(const struct qpu_plan *plan);

#endif
