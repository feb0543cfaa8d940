/*
 * engine_emu.h - "qpu-emu": the qpu engine with emulated QPUs. All is the hardware's but the
 * hardware.
 *
 * "qpu-emu:3" runs in emulator_modes[3]; without a number, in the first. "qpu-emu:3,40": the launch
 * after 40 does not end. fftd and fft-bench have it in
 * builds with tests that are no release's.
 */
#ifndef FFTD_EMULATE_QPU_ENGINE_EMU_H
#define FFTD_EMULATE_QPU_ENGINE_EMU_H

#include "fft/qpu/engine_qpu.h" /* engine_qpu_emu, which is complete before main */

#endif
