/*
 * event_count.h - a count that threads wait for: a moment spinning, then asleep.
 *
 * Waking a thread takes longer than many a frame, and who works beside others waits for them often
 * and shortly. What a thread wrote before gate_add is visible to whoever saw the count behind it.
 */
#ifndef FFTD_FFT_CPU_THREADS_EVENT_COUNT_H
#define FFTD_FFT_CPU_THREADS_EVENT_COUNT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct gate {
    _Alignas(64) atomic_uint_least64_t count;
    _Alignas(64) atomic_uint sleepers;
    atomic_bool closed;
    bool spins;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

void gate_init(struct gate *g, bool spins); /* spins: the machine has a core for each thread */
void gate_finish(struct gate *g);
void gate_add(struct gate *g);
void gate_close(struct gate *g); /* nobody waits any more, now or later */

/* Until the count is `count` or more: true. false: closed, or after timeout_ms (< 0: for ever). */
bool gate_wait(struct gate *g, uint64_t count, int timeout_ms);

int64_t gate_now_ns(void); /* the clock of time-outs */

#endif
