/*
 * affinity.h - which processor a thread is on.
 *
 * A thread that is woken by a busy one may be put behind it, on the same processor, while another
 * is idle: Linux looks for an idle one the less, the busier the processors were of late (SIS_UTIL,
 * since 5.19). For threads that work side by side all day that is the common case, and there they
 * stay: two then take as long as one.
 */
#ifndef FFTD_FFT_CPU_THREADS_AFFINITY_H
#define FFTD_FFT_CPU_THREADS_AFFINITY_H

#include <stdint.h>

uint32_t cpu_affinity_count(void); /* processors that this thread may use */
int cpu_affinity_current(void);    /* the number of the one it is on; -1: not known */

/*
 * Moves the calling thread from processor `from`, if it is there, to another one that it may use;
 * which ones these are stays as it was. Where it came to, or -1: it did not move.
 */
int cpu_affinity_leave(int from);

#endif
