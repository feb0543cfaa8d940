/*
 * event_count.h - a count that threads wait for: a moment spinning, then asleep.
 *
 * Waking a thread takes longer than many a frame, and who works beside others waits for them often
 * and shortly. What a thread wrote before cpu_event_count_add is visible to whoever saw the count
 * behind it.
 */
#ifndef FFTD_FFT_CPU_THREADS_EVENT_COUNT_H
#define FFTD_FFT_CPU_THREADS_EVENT_COUNT_H

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

void cpu_event_count_init(struct cpu_event_count *g,
                          bool spins); /* spins: the machine has a core for each thread */
void cpu_event_count_finish(struct cpu_event_count *g);
void cpu_event_count_add(struct cpu_event_count *g);
void cpu_event_count_close(struct cpu_event_count *g); /* nobody waits any more, now or later */

/* Until the count is `count` or more: true. false: closed, or after timeout_ms (< 0: for ever). */
bool cpu_event_count_wait(struct cpu_event_count *g, uint64_t count, int timeout_ms);

int64_t cpu_now_ns(void); /* the clock of time-outs */

#endif
