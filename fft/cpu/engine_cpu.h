/*
 * engine_cpu.h - the engine that needs nothing: vector code on the processor's own cores.
 *
 * Instruction sets: see isa.h. Threads: the caller's and others; each takes a fixed part of every
 * batch (batches.h), so that a spectrum's bytes depend on their number and never on their timing,
 * and of every pass of a transform (pass.h), whose bytes depend on neither.
 */
#ifndef FFTD_FFT_CPU_ENGINE_CPU_H
#define FFTD_FFT_CPU_ENGINE_CPU_H

#include "fft/engine.h"

extern const struct engine_ops cpu_engine_ops;

#endif
