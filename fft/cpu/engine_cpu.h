/*
 * engine_cpu.h - the engine that runs on every machine: vector code on the processor's cores.
 *
 * Instruction sets: cpu_isa.h. Threads: the caller's and others take chunks of batches
 * (cpu_batches.h) and parts of a transform's passes (cpu_pass.h) as they become free. The bytes of
 * both depend neither on the number of threads nor on timing.
 */
#ifndef FFTD_FFT_CPU_ENGINE_CPU_H
#define FFTD_FFT_CPU_ENGINE_CPU_H

#include "fft/engine.h"

extern const struct engine_ops cpu_engine_ops;

#endif
