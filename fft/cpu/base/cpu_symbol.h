/* cpu_symbol.h - names of what is compiled once for each instruction set: cpu_NAME_ISA. */
#ifndef FFTD_FFT_CPU_BASE_CPU_SYMBOL_H
#define FFTD_FFT_CPU_BASE_CPU_SYMBOL_H

#define CPU_PASTE(name, isa) cpu_##name##_##isa
#define CPU_JOIN(name, isa)  CPU_PASTE(name, isa)
#define CPU_SYMBOL(name)     CPU_JOIN(name, CPU_ISA)

#endif
