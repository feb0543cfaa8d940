/*
 * engine_emu.h - "qpu-emu": the qpu engine with emulated QPUs. All is the hardware's but the hardware.
 */
#ifndef FFTD_TESTS_QPU_ENGINE_EMU_H
#define FFTD_TESTS_QPU_ENGINE_EMU_H

#include "fft/engine.h"

/* "qpu-emu:3" runs in emulator_modes[3]; without a number, in the first. */
extern struct engine_ops engine_qpu_emu; /* complete before main */

#endif
