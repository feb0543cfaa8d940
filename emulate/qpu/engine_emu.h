/*
 * engine_emu.h - the engine qpu-emu: the qpu engine with emulated instead of real QPUs.
 *
 * "qpu-emu:3" runs in emulator_modes[3]; without a number, in the first mode. "qpu-emu:3,40": the
 * launch after the first 40 does not end. fftd, fft-bench and fft-study have this engine in builds
 * with tests, except releases.
 */
#ifndef FFTD_EMULATE_QPU_ENGINE_EMU_H
#define FFTD_EMULATE_QPU_ENGINE_EMU_H

#include "fft/qpu/engine_qpu.h" /* qpu_emu_engine_ops; a constructor fills it before main */

#endif
