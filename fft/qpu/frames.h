/* frames.h - what the ARM does of a spectrum: frames to the QPUs' memory, powers into traces. */
#ifndef FFTD_FFT_QPU_FRAMES_H
#define FFTD_FFT_QPU_FRAMES_H

#include "fft/qpu/power.h"
#include "fft/qpu/work.h"

/* Unpacks raw samples, plan->n of them, into a frame of the next run, whose window they meet there.
 */
void qpu_frames_load(const struct fft_spectrum_plan *plan, const char *raw,
                     const struct qpu_work *w, uint32_t frame);

/*
 * Launches for this plan: through its window to powers, and to sums of them where nothing but the
 * mean is wanted. As qpu_work_init.
 */
int qpu_frames_init(struct qpu_work *w, struct qpu_device *device, uint32_t code,
                    const struct fft_spectrum_plan *plan);

/* The frames of the last run. */
void qpu_frames_fold(const struct qpu_work *w, struct qpu_power *power, struct qpu_traces *into);

#endif
