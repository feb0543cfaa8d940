/* thread_clock.c - corrects the time of a radio's samples by the host's clock. */
#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/source/thread.h"

/* Reads both clocks at one time. False: the thread was interrupted in between. */
static bool read_clocks(const struct source_thread *t, uint64_t *now_ns, int64_t *unix_ns)
{
    *now_ns = clock_now_ns();
    *unix_ns = t->config.unix_ns ? t->config.unix_ns() : clock_unix_ns();
    return clock_now_ns() - *now_ns < 1000000;
}

void source_thread_check_clock(struct source_thread *t)
{
    uint64_t now_ns;
    int64_t unix_ns, by_ns;
    if (!t->config.ops->live || !t->config.source.realtime || t->source->stream.hardware_time ||
        !read_clocks(t, &now_ns, &unix_ns))
        return;
    const enum sample_clock_change change = sample_clock_check(
        &t->clock, t->delivered, t->source->stream.tuning.rate_hz, now_ns, unix_ns, &by_ns);
    if (change == SAMPLE_CLOCK_KEPT)
        return;
    const struct iq_mark mark = {.continues = true, .has_time = true, .time_ns = t->clock.time_ns};
    iq_ring_mark(t->epoch->ring, &mark);
    exchange_count(t->exchange, COUNT_CLOCK);
    log_info("%s by %+.3f s: the times of lines follow",
             change == SAMPLE_CLOCK_STEP ? "the system's clock was set"
                                         : "the radio's samples drifted from the system's clock",
             (double)by_ns * 1e-9);
}
