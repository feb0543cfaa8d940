/*
 * cpu_event_count.h - a count that threads wait for: they spin for a moment, then sleep.
 *
 * Waking a thread takes longer than the transform of a short frame, and workers wait for each other
 * often and briefly. What a thread wrote before cpu_event_count_add is visible to every thread that
 * has seen the new count.
 */
#ifndef FFTD_FFT_CPU_THREADS_CPU_EVENT_COUNT_H
#define FFTD_FFT_CPU_THREADS_CPU_EVENT_COUNT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct cpu_event_count {
    _Alignas(64) atomic_uint_least64_t count;
    _Alignas(64) atomic_uint sleepers;
    atomic_bool closed;
    bool spins;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

/* spins: the machine has a processor for each thread. */
void cpu_event_count_init(struct cpu_event_count *e, bool spins);
void cpu_event_count_finish(struct cpu_event_count *e);
void cpu_event_count_add(struct cpu_event_count *e);
uint64_t cpu_event_count_read(struct cpu_event_count *e);
void cpu_event_count_close(struct cpu_event_count *e); /* ends all waiting, now and later */
bool cpu_event_count_is_closed(struct cpu_event_count *e);

/* Until the count is `count` or more: true. false: closed, or after timeout_ms (< 0: for ever). */
bool cpu_event_count_wait(struct cpu_event_count *e, uint64_t count, int timeout_ms);

#endif
