/* cpu_event_count.c - an event count: adding takes the lock only while a thread sleeps. */
#include "fft/cpu/threads/cpu_event_count.h"

#include <time.h>

#include "fft/monotonic.h"

enum {
    SPIN_NS = 30000,     /* about the time to sleep and be woken */
    READS_PER_CLOCK = 64 /* of the count, while spinning */
};

static void relax(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

void cpu_event_count_init(struct cpu_event_count *e, bool spins)
{
    pthread_condattr_t attributes;

    *e = (struct cpu_event_count){.spins = spins};
    pthread_mutex_init(&e->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&e->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

void cpu_event_count_finish(struct cpu_event_count *e)
{
    pthread_cond_destroy(&e->changed);
    pthread_mutex_destroy(&e->lock);
}

/*
 * A waiting thread first counts itself as a sleeper, then reads the count; an adding thread first
 * changes the count, then reads the sleepers. All four are sequentially consistent, so at least one
 * of the two threads sees what the other one wrote.
 */
static void wake(struct cpu_event_count *e)
{
    if (atomic_load(&e->sleepers) == 0)
        return;
    pthread_mutex_lock(&e->lock);
    pthread_cond_broadcast(&e->changed);
    pthread_mutex_unlock(&e->lock);
}

void cpu_event_count_add(struct cpu_event_count *e)
{
    atomic_fetch_add(&e->count, 1);
    wake(e);
}

uint64_t cpu_event_count_read(struct cpu_event_count *e)
{
    return atomic_load(&e->count);
}

bool cpu_event_count_is_closed(struct cpu_event_count *e)
{
    return atomic_load(&e->closed);
}

void cpu_event_count_close(struct cpu_event_count *e)
{
    atomic_store(&e->closed, true);
    wake(e);
}

static bool has_come(struct cpu_event_count *e, uint64_t count)
{
    return atomic_load(&e->count) >= count;
}

static bool spin(struct cpu_event_count *e, uint64_t count)
{
    const int64_t end = e->spins ? fft_now_ns() + SPIN_NS : 0;
    do {
        for (int i = 0; i < READS_PER_CLOCK; i++) {
            if (has_come(e, count) || atomic_load(&e->closed))
                return has_come(e, count);
            relax();
        }
    } while (e->spins && fft_now_ns() < end);
    return false;
}

static struct timespec deadline_in(int timeout_ms)
{
    const int64_t at = fft_now_ns() + (int64_t)timeout_ms * 1000000;
    return (struct timespec){.tv_sec = (time_t)(at / 1000000000),
                             .tv_nsec = (long)(at % 1000000000)};
}

static bool sleep_until(struct cpu_event_count *e, uint64_t count, int timeout_ms)
{
    const struct timespec deadline = deadline_in(timeout_ms < 0 ? 0 : timeout_ms);
    int err = 0;

    pthread_mutex_lock(&e->lock);
    atomic_fetch_add(&e->sleepers, 1);
    while (err == 0 && !has_come(e, count) && !atomic_load(&e->closed))
        err = timeout_ms < 0 ? pthread_cond_wait(&e->changed, &e->lock)
                             : pthread_cond_timedwait(&e->changed, &e->lock, &deadline);
    atomic_fetch_sub(&e->sleepers, 1);
    pthread_mutex_unlock(&e->lock);
    return has_come(e, count);
}

bool cpu_event_count_wait(struct cpu_event_count *e, uint64_t count, int timeout_ms)
{
    if (has_come(e, count))
        return true;
    if (timeout_ms == 0)
        return false;
    return spin(e, count) || (!atomic_load(&e->closed) && sleep_until(e, count, timeout_ms));
}
