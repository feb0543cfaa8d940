/* pacer.c - paces sources without a clock of their own. */
#include "daemon/source/pacer.h"

#include <math.h>
#include <time.h>

#include "daemon/base/clock.h"

enum { BLOCKS_PER_SECOND = 50 };

void pacer_start(struct pacer *p, double rate_hz, uint64_t now_ns)
{
    *p = (struct pacer){.rate_hz = rate_hz, .start_ns = now_ns};
}

/* Computes whole seconds separately, so that the result stays exact for years. */
uint64_t pacer_due(const struct pacer *p, uint64_t now_ns)
{
    if (now_ns <= p->start_ns)
        return 0;
    const uint64_t elapsed = now_ns - p->start_ns;
    const uint64_t seconds = elapsed / 1000000000U;
    const double whole = (double)seconds * p->rate_hz;
    const double part = (double)(elapsed % 1000000000U) * 1e-9 * p->rate_hz;
    const uint64_t made = (uint64_t)(whole + part);
    return made > p->given ? made - p->given : 0;
}

static uint64_t until_due_ns(const struct pacer *p, uint64_t samples, uint64_t now_ns)
{
    const double at = (double)(p->given + samples) / p->rate_hz * 1e9;
    const double left = at - (double)(now_ns - p->start_ns);
    return left > 1 ? (uint64_t)ceil(left) : 1;
}

static void sleep_ns(uint64_t ns)
{
    const struct timespec wait = {.tv_sec = (time_t)(ns / 1000000000U),
                                  .tv_nsec = (long)(ns % 1000000000U)};
    nanosleep(&wait, NULL);
}

uint32_t pacer_wait(const struct pacer *p, uint32_t samples, int timeout_ms)
{
    const double block = p->rate_hz / BLOCKS_PER_SECOND;
    const uint32_t smallest = block < 1 ? 1 : block < samples ? (uint32_t)block : samples;
    const uint64_t limit = clock_after_ms(timeout_ms);
    for (;;) {
        const uint64_t now = clock_now_ns(), due = pacer_due(p, now);
        if (due >= smallest)
            return due < samples ? (uint32_t)due : samples;
        if (now >= limit)
            return 0;
        const uint64_t wait = until_due_ns(p, smallest, now), left = limit - now;
        sleep_ns(wait < left ? wait : left);
    }
}
