/* engine_qpu.h - the qpu engine: VideoCore IV of Raspberry Pi Zero to 3. */
#ifndef FFTD_FFT_QPU_ENGINE_QPU_H
#define FFTD_FFT_QPU_ENGINE_QPU_H

#include "fft/engine.h"

/* By name only: it has not run on silicon yet. */
extern const struct engine_ops engine_qpu;

/* The same with emulated QPUs, in builds with tests only: emulate/qpu/engine_emu.h. */
extern struct engine_ops engine_qpu_emu;

#endif
