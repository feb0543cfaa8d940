/* clock.c - reads the clocks of the kernel. */
#include "daemon/base/clock.h"

#include <time.h>

static uint64_t read_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

uint64_t clock_now_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

uint64_t clock_after_ms(int timeout_ms)
{
    return clock_now_ns() + (uint64_t)timeout_ms * 1000000U;
}

int64_t clock_unix_ns(void)
{
    return (int64_t)read_ns(CLOCK_REALTIME);
}

bool clock_wait(uv_cond_t *changed, uv_mutex_t *lock, uint64_t until_ns)
{
    const uint64_t now = clock_now_ns();
    return now < until_ns && uv_cond_timedwait(changed, lock, until_ns - now) == 0;
}
