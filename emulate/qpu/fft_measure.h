/*
 * fft_measure.h - the accuracy of a run, and what it loses without the low halves of twiddles.
 */
#ifndef FFTD_EMULATE_QPU_FFT_MEASURE_H
#define FFTD_EMULATE_QPU_FFT_MEASURE_H

#include "emulate/qpu/fft_run.h"

/*
 * hello_fft's signal, half in bin 1 and half in the last, whose inverse is a cosine: the relative
 * rms error in ppm. The plan is an inverse one. NaN: the run failed; run->report says why.
 */
double fft_measure_cosine_ppm(struct fft_run *run, const struct emulator_mode *mode);

/*
 * Takes the writes to low halves out of the program: twiddles are then single floats. How many
 * writes those were.
 */
uint32_t fft_measure_forget_low_halves(struct fft_run *run, uint32_t instructions);

#endif
