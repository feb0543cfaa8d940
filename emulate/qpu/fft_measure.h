/*
 * fft_measure.h - measures the accuracy of a run, with and without the low halves of twiddles.
 */
#ifndef FFTD_EMULATE_QPU_FFT_MEASURE_H
#define FFTD_EMULATE_QPU_FFT_MEASURE_H

#include "emulate/qpu/fft_run.h"

/*
 * The relative rms error in ppm of hello_fft's signal: 0.5 in the first bin and 0.5 in the last,
 * whose inverse transform is a cosine. The plan must be inverse. NaN: the run failed; see
 * run->report.
 */
double fft_measure_cosine_ppm(struct fft_run *run, const struct emulator_mode *mode);

/*
 * Removes the writes to low halves from the program, so that twiddles are single floats. Returns
 * the number of writes removed.
 */
uint32_t fft_measure_remove_low_halves(struct fft_run *run, uint32_t instructions);

#endif
