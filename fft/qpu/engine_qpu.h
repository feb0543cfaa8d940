/* engine_qpu.h - the qpu engine: the VideoCore IV of Raspberry Pi Zero to 3. */
#ifndef FFTD_FFT_QPU_ENGINE_QPU_H
#define FFTD_FFT_QPU_ENGINE_QPU_H

#include "fft/engine.h"

/* Chosen by name only, because it has not run on silicon yet. */
extern const struct engine_ops qpu_engine_ops;

/* The same engine on emulated QPUs (emulate/qpu/engine_emu.h), in builds with tests only. */
extern struct engine_ops qpu_emu_engine_ops;

#endif
