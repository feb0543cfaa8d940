/*
 * memory.h - zeroed, aligned memory for tables and accumulators.
 *
 * Aligned to 64 bytes (a cache line and an AVX-512 register); blocks of 2 MiB and more are aligned
 * to huge pages and the kernel is asked for some: large frames are bound by the TLB otherwise.
 */
#ifndef FFTD_FFT_CPU_MEMORY_H
#define FFTD_FFT_CPU_MEMORY_H

#include <stddef.h>

void *memory_take(size_t bytes); /* NULL: out of memory */
void memory_free(void *block);   /* NULL is fine */

#endif
