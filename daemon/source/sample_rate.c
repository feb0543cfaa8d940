/* sample_rate.c - compares the earliest reads of successive windows. */
#include "daemon/source/sample_rate.h"

#include <math.h>

static const uint64_t default_window_ns = 10000000000;
static const double tolerance = 0.01; /* of the rate: 100 ms in a window */

void sample_rate_reset(struct sample_rate *r)
{
    *r = (struct sample_rate){.window_ns = r->window_ns};
}

/* True: this read came earlier than `best`, for its sample. */
static bool is_earlier(const struct sample_rate *r, uint64_t sample, double rate_hz,
                       uint64_t now_ns)
{
    const double after_ns = (double)(sample - r->best.sample) * 1e9 / rate_hz;
    return (double)(now_ns - r->best.now_ns) < after_ns;
}

static double measured(const struct sample_rate *r)
{
    return (double)(r->best.sample - r->before.sample) * 1e9 /
           (double)(r->best.now_ns - r->before.now_ns);
}

static bool is_off(double hz, double rate_hz)
{
    return fabs(hz - rate_hz) > tolerance * rate_hz;
}

static bool on_one_side(double a, double b, double rate_hz)
{
    return (a > rate_hz) == (b > rate_hz);
}

/* Two windows in turn, on the same side: one alone may hold a pause of the machine. */
static double end_window(struct sample_rate *r, double rate_hz)
{
    const double hz = r->has_before ? measured(r) : rate_hz, suspect = r->suspect;
    r->has_before = true;
    r->before = r->best;
    r->has_window = false;
    r->suspect = is_off(hz, rate_hz) ? hz : 0;
    return r->suspect != 0 && suspect != 0 && on_one_side(hz, suspect, rate_hz) ? hz : 0;
}

double sample_rate_check(struct sample_rate *r, uint64_t sample, double rate_hz, uint64_t now_ns)
{
    if (!r->has_window)
        r->start_ns = now_ns;
    if (!r->has_window || is_earlier(r, sample, rate_hz, now_ns))
        r->best = (struct rate_point){sample, now_ns};
    r->has_window = true;
    const uint64_t window_ns = r->window_ns ? r->window_ns : default_window_ns;
    return now_ns - r->start_ns < window_ns ? 0 : end_window(r, rate_hz);
}
