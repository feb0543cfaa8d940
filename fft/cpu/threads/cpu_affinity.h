/*
 * cpu_affinity.h - the processor that a thread runs on.
 *
 * Linux may queue a woken thread on the processor of the busy thread that woke it, although another
 * processor is idle: the busier the machine was of late, the fewer processors it checks (SIS_UTIL,
 * since 5.19). Threads that work side by side all day meet this often, and stay on that processor:
 * two of them then take as long as one.
 */
#ifndef FFTD_FFT_CPU_THREADS_CPU_AFFINITY_H
#define FFTD_FFT_CPU_THREADS_CPU_AFFINITY_H

#include <stdint.h>

uint32_t cpu_affinity_count(void); /* processors that this thread may use */
int cpu_affinity_current(void);    /* the number of the one that it runs on; -1: unknown */

/*
 * Moves the calling thread away from processor `from`, if it runs there, to another one that it may
 * use. The set of processors that it may use is unchanged. Returns the new processor; -1: the
 * thread was not moved.
 */
int cpu_affinity_leave(int from);

#endif
