/* power.h - powers from the QPUs folded into a partial on the ARM: traces and density. */
#ifndef FFTD_FFT_QPU_POWER_H
#define FFTD_FFT_QPU_POWER_H

#include "fft/engine.h"

/* What one batch becomes. Arrays [n], bins in a partial's order; NULL where the plan wants none. */
struct qpu_traces {
    float *sum, *max, *min, *last;
    uint32_t *hits; /* [columns][levels] */
};

struct qpu_power {
    const struct fft_spectrum_plan *plan;
    uint32_t frames; /* so far in this batch */
    double *sum;     /* [n], or NULL */
    float *frame;    /* [n]: the powers in hand */
};

int qpu_traces_init(struct qpu_traces *t, const struct fft_spectrum_plan *plan);
void qpu_traces_finish(struct qpu_traces *t);

/* plan must stay. 0 or -ENOMEM; finish follows in any case. */
int qpu_power_init(struct qpu_power *p, const struct fft_spectrum_plan *plan);
void qpu_power_finish(struct qpu_power *p);

/* A frame's powers, or a sum of several's: at .. at+count-1, in a transform's order, till all are
 * there; then _add. */
void qpu_power_put(struct qpu_power *p, uint32_t at, const float *powers, uint32_t count);
/* The frame in hand. The first after _end begins a batch. */
void qpu_power_add(struct qpu_power *p, struct qpu_traces *into);
void qpu_power_end(struct qpu_power *p, struct qpu_traces *into);

#endif
