/* thread_clock.c - corrects the time of a radio's samples by the host's clock. */
#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/si.h"
#include "daemon/source/thread.h"

/* Reads both clocks at one time. False: the thread was interrupted in between. */
static bool read_clocks(const struct source_thread *t, uint64_t *now_ns, int64_t *unix_ns)
{
    *now_ns = clock_now_ns();
    *unix_ns = t->config.unix_ns ? t->config.unix_ns() : clock_unix_ns();
    return clock_now_ns() - *now_ns < 1000000;
}

static void warn_of_rate(struct source_thread *t, double measured_hz)
{
    struct source *s = t->source;
    char measured[32], stated[32];
    const double rate_hz = s->stream.tuning.rate_hz;
    if (measured_hz == 0 || s->warning[0])
        return;
    snprintf(s->warning, sizeof s->warning,
             "%.60s delivers %s samples/s, not %s (%.4g times): %sits rate is not what it says, "
             "and frequencies are off by that factor",
             s->stream.about, si_format(measured_hz, 4, measured, sizeof measured),
             si_format(rate_hz, 4, stated, sizeof stated), measured_hz / rate_hz,
             measured_hz < rate_hz ? "it loses samples without reporting them, or " : "");
}

static void log_change(enum sample_clock_change change, bool suspect, int64_t by_ns)
{
    const char *what = "the radio's samples drifted from the system's clock";
    if (change == SAMPLE_CLOCK_STEP)
        what = "the system's clock was set";
    else if (suspect)
        what = "the radio's samples did not come at their rate, and their time was off";
    log_info("%s by %+.3f s: the times of lines follow", what, (double)by_ns * 1e-9);
}

void source_thread_check_clock(struct source_thread *t)
{
    const double rate_hz = t->source->stream.tuning.rate_hz;
    uint64_t now_ns;
    int64_t unix_ns, by_ns;
    if (!t->config.ops->live || !t->config.source.realtime || !read_clocks(t, &now_ns, &unix_ns))
        return;
    if (!t->source->stream.simulated)
        warn_of_rate(t, sample_rate_check(&t->rate, t->delivered, rate_hz, now_ns));
    if (t->source->stream.hardware_time)
        return;
    const enum sample_clock_change change =
        sample_clock_check(&t->clock, t->delivered, rate_hz, now_ns, unix_ns, &by_ns);
    if (change == SAMPLE_CLOCK_KEPT)
        return;
    const struct iq_mark mark = {.continues = true, .has_time = true, .time_ns = t->clock.time_ns};
    iq_ring_mark(t->epoch->ring, &mark);
    exchange_count(t->exchange, COUNT_CLOCK);
    log_change(change, t->rate.suspect != 0, by_ns);
}
