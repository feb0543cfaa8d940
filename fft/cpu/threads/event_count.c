/* event_count.c - an event count: nobody takes the lock unless somebody sleeps. */
#include "fft/cpu/threads/event_count.h"

#include <time.h>

enum { SPIN_NS = 30000, LOOKS = 64 }; /* about what it takes to sleep and be woken; looks a clock */

int64_t cpu_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void relax(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

void cpu_event_count_init(struct cpu_event_count *g, bool spins)
{
    pthread_condattr_t attributes;

    *g = (struct cpu_event_count){.spins = spins};
    pthread_mutex_init(&g->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&g->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

void cpu_event_count_finish(struct cpu_event_count *g)
{
    pthread_cond_destroy(&g->changed);
    pthread_mutex_destroy(&g->lock);
}

/*
 * A sleeper counts itself and then looks at the gate; who changes the gate does so and then looks
 * for sleepers. In the one order that all threads agree on (both are sequentially consistent), one
 * of them sees the other.
 */
static void wake(struct cpu_event_count *g)
{
    if (atomic_load(&g->sleepers) == 0)
        return;
    pthread_mutex_lock(&g->lock);
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

void cpu_event_count_add(struct cpu_event_count *g)
{
    atomic_fetch_add(&g->count, 1);
    wake(g);
}

void cpu_event_count_close(struct cpu_event_count *g)
{
    atomic_store(&g->closed, true);
    wake(g);
}

static bool is_open(struct cpu_event_count *g, uint64_t count)
{
    return atomic_load(&g->count) >= count;
}

static bool spin(struct cpu_event_count *g, uint64_t count)
{
    const int64_t end = g->spins ? cpu_now_ns() + SPIN_NS : 0;
    do {
        for (int i = 0; i < LOOKS; i++) {
            if (is_open(g, count) || atomic_load(&g->closed))
                return is_open(g, count);
            relax();
        }
    } while (g->spins && cpu_now_ns() < end);
    return false;
}

static struct timespec deadline_in(int timeout_ms)
{
    const int64_t at = cpu_now_ns() + (int64_t)timeout_ms * 1000000;
    return (struct timespec){.tv_sec = at / 1000000000, .tv_nsec = at % 1000000000};
}

static bool sleep_until_open(struct cpu_event_count *g, uint64_t count, int timeout_ms)
{
    const struct timespec deadline = deadline_in(timeout_ms < 0 ? 0 : timeout_ms);
    int err = 0;

    pthread_mutex_lock(&g->lock);
    atomic_fetch_add(&g->sleepers, 1);
    while (err == 0 && !is_open(g, count) && !atomic_load(&g->closed))
        err = timeout_ms < 0 ? pthread_cond_wait(&g->changed, &g->lock)
                             : pthread_cond_timedwait(&g->changed, &g->lock, &deadline);
    atomic_fetch_sub(&g->sleepers, 1);
    pthread_mutex_unlock(&g->lock);
    return is_open(g, count);
}

bool cpu_event_count_wait(struct cpu_event_count *g, uint64_t count, int timeout_ms)
{
    if (is_open(g, count))
        return true;
    if (timeout_ms == 0)
        return false;
    return spin(g, count) || (!atomic_load(&g->closed) && sleep_until_open(g, count, timeout_ms));
}
