/* qpu_power.h - folds powers from the QPUs into a batch's partial, on the ARM: detectors and
 * density.
 */
#ifndef FFTD_FFT_QPU_QPU_POWER_H
#define FFTD_FFT_QPU_QPU_POWER_H

#include "fft/engine.h"

/* The results of one batch: arrays [n] with bins in a partial's order; NULL: not in the plan. */
struct qpu_detectors {
    float *sum, *max, *min, *last;
    uint32_t *hits; /* [columns][levels] */
};

struct qpu_power {
    const struct fft_spectrum_config *plan;
    uint32_t frames; /* folded so far in this batch */
    double *sum;     /* [n], or NULL */
    float *frame;    /* [n]: powers of the current frame, in a partial's order */
};

/* 0 or -ENOMEM; call finish in either case. */
int qpu_detectors_init(struct qpu_detectors *t, const struct fft_spectrum_config *plan);
void qpu_detectors_finish(struct qpu_detectors *t);

/* plan must outlive p. 0 or -ENOMEM; call finish in either case. */
int qpu_power_init(struct qpu_power *p, const struct fft_spectrum_config *plan);
void qpu_power_finish(struct qpu_power *p);

/* Sets elements at .. at+count-1 of the current frame, in a transform's order: the powers of a
 * frame, or the sum of those of several. Call qpu_power_add when all n are set. */
void qpu_power_put(struct qpu_power *p, uint32_t at, const float *powers, uint32_t count);
/* Folds the current frame into `into`. The first call after qpu_power_end starts a new batch. */
void qpu_power_add(struct qpu_power *p, struct qpu_detectors *into);
/* Ends the batch: writes the sum. */
void qpu_power_end(struct qpu_power *p, struct qpu_detectors *into);

#endif
