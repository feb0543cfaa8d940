/* frames.h - what the ARM does of a spectrum: frames to the QPUs' memory, powers into traces. */
#ifndef FFTD_FFT_QPU_FRAMES_H
#define FFTD_FFT_QPU_FRAMES_H

#include "fft/qpu/power.h"
#include "fft/qpu/work.h"

/* Unpacks raw samples, plan->n of them, through the window into a frame of the next run. */
void qpu_frames_load(const struct spectrum_plan *plan, const char *raw, const struct qpu_work *w,
                     uint32_t frame);

/* What a launch computes for this plan: powers, and sums of them where nothing but the mean is wanted. */
struct qpu_task qpu_frames_task(const struct spectrum_plan *plan);

/* The frames of the last run. */
void qpu_frames_fold(const struct qpu_work *w, struct qpu_power *power, struct qpu_traces *into);

#endif
