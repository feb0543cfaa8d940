/* engine_qpu.h - the qpu engine: VideoCore IV of Raspberry Pi Zero to 3. */
#ifndef FFTD_FFT_QPU_ENGINE_QPU_H
#define FFTD_FFT_QPU_ENGINE_QPU_H

#include "fft/engine.h"

extern const struct engine_ops engine_qpu;

#endif
