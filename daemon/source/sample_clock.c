/* sample_clock.c - counts time in samples and holds it against the host's clock. */
#include "daemon/source/sample_clock.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/base/unix_time.h"

/* A line of the default rate lasts 50 ms. */
static const int64_t bound_ns = 50000000;
static const uint64_t window_ns = 10000000000;

void sample_clock_set(struct sample_clock *c, int64_t time_ns, uint64_t sample)
{
    *c = (struct sample_clock){.time_ns = time_ns,
                               .sample = sample,
                               .has_offset = c->has_offset,
                               .offset_ns = c->offset_ns};
}

int64_t sample_clock_at(const struct sample_clock *c, uint64_t sample, double rate_hz)
{
    return unix_time_after(c->time_ns, (double)(sample - c->sample) / rate_hz);
}

/* The sample's new time is the old one and the correction. The lag stays what it was. */
static void correct(struct sample_clock *c, uint64_t sample, double rate_hz, int64_t by_ns)
{
    c->time_ns = sample_clock_at(c, sample, rate_hz) + by_ns;
    c->sample = sample;
}

static bool check_step(struct sample_clock *c, int64_t offset_ns, int64_t *by_ns)
{
    *by_ns = c->has_offset ? offset_ns - c->offset_ns : 0;
    const bool step = llabs(*by_ns) > bound_ns;
    if (step || !c->has_offset)
        c->offset_ns = offset_ns;
    c->has_offset = true;
    return step;
}

/* True at the end of a window whose least lag is not that of the first one. */
static bool check_drift(struct sample_clock *c, int64_t lag_ns, uint64_t now_ns, int64_t *by_ns)
{
    if (c->window_ns == 0 || lag_ns < c->least_ns)
        c->least_ns = lag_ns;
    if (c->window_ns == 0)
        c->window_ns = now_ns;
    if (now_ns - c->window_ns < window_ns)
        return false;
    c->window_ns = 0;
    if (!c->has_lag)
        c->lag_ns = c->least_ns;
    c->has_lag = true;
    *by_ns = c->least_ns - c->lag_ns;
    return llabs(*by_ns) > bound_ns;
}

enum sample_clock_change sample_clock_check(struct sample_clock *c, uint64_t sample, double rate_hz,
                                            uint64_t now_ns, int64_t unix_ns, int64_t *by_ns)
{
    enum sample_clock_change change = SAMPLE_CLOCK_KEPT;
    if (check_step(c, (int64_t)((uint64_t)unix_ns - now_ns), by_ns))
        change = SAMPLE_CLOCK_STEP;
    else if (check_drift(c, unix_ns - sample_clock_at(c, sample, rate_hz), now_ns, by_ns))
        change = SAMPLE_CLOCK_DRIFT;
    if (change != SAMPLE_CLOCK_KEPT)
        correct(c, sample, rate_hz, *by_ns);
    return change;
}
