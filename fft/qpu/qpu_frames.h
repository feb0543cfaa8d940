/* qpu_frames.h - the ARM's part of a spectrum: unpacks frames to the QPUs' memory and folds powers.
 */
#ifndef FFTD_FFT_QPU_QPU_FRAMES_H
#define FFTD_FFT_QPU_QPU_FRAMES_H

#include "fft/qpu/qpu_launcher.h"
#include "fft/qpu/qpu_power.h"

/*
 * Unpacks plan->n raw samples into a frame of the next launch, and corrects them (NULL: they stay).
 * The QPUs apply the window.
 */
void qpu_frames_load(const struct fft_spectrum_config *plan, const char *raw,
                     const struct fft_correction *correction, const struct qpu_launcher *l,
                     uint32_t frame);

/*
 * Prepares launches for this plan: window, transform, powers. If the plan wants the mean detector
 * only, the QPUs also sum the powers over a launch's frames. Returns what qpu_launcher_init
 * returns.
 */
int qpu_frames_init(struct qpu_launcher *l, struct qpu_device *device, uint32_t code,
                    const struct fft_spectrum_config *plan);

/* Folds the frames of the last launch. */
void qpu_frames_fold(const struct qpu_launcher *l, struct qpu_power *power,
                     struct qpu_detectors *into);

#endif
