/*
 * engine_cpu.h - the engine that needs nothing: vector code on the processor's own cores.
 *
 * Instruction sets: see isa.h. Threads: each takes a fixed part of every batch's frames, and the
 * parts are merged in the same order every time, so the bytes depend on the number of threads but
 * never on their timing. With one thread the work is done by the caller, in poll.
 */
#ifndef FFTD_FFT_CPU_ENGINE_CPU_H
#define FFTD_FFT_CPU_ENGINE_CPU_H

#include "fft/engine.h"

extern const struct engine_ops engine_cpu;

#endif
