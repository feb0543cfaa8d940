/* soapy_clock.c - compares each time stamp with the number of samples before it. */
#include "daemon/source/soapy/soapy_clock.h"

#include <math.h>

static const double base_tolerance_ns = 1e3, set_back_ns = 100e6, set_ahead_ns = 2e9;
/* Of both clocks: the latency of driver and machine, and the errors of two crystals. */
static const double latency_ns = 300e6, crystals = 1e-3;
enum { MIN_STAMPS = 16, MIN_ABSURD = 8 };

void soapy_clock_init(struct soapy_clock *c, double rate_hz)
{
    *c = (struct soapy_clock){.rate_hz = rate_hz,
                              .tolerance_ns = base_tolerance_ns + 0.5e9 / rate_hz};
}

void soapy_clock_count(struct soapy_clock *c, uint64_t samples)
{
    c->since += samples;
    c->aside_since += samples;
    c->samples += samples;
}

static double samples_ns(const struct soapy_clock *c, uint64_t samples)
{
    return (double)samples * 1e9 / c->rate_hz;
}

/* From a to b; stamps may be any 64 bits. */
static double elapsed_ns(int64_t a, int64_t b)
{
    return (double)(int64_t)((uint64_t)b - (uint64_t)a);
}

static bool is_jump(double late_ns, double host_elapsed_ns)
{
    return late_ns < -set_back_ns || late_ns > host_elapsed_ns + set_ahead_ns;
}

/* Each stamp becomes the new reference, so that a small error of the rate does not add up. */
static void refer_to(struct soapy_clock *c, int64_t stamp_ns, int64_t host_ns)
{
    c->known = true;
    c->has_aside = false;
    c->stamp_ns = stamp_ns;
    c->host_ns = host_ns;
    c->since = 0;
}

static void begin(struct soapy_clock *c, int64_t stamp_ns, int64_t host_ns)
{
    refer_to(c, stamp_ns, host_ns);
    c->first_stamp_ns = stamp_ns;
    c->first_host_ns = host_ns;
    c->samples = c->checked = c->off = 0;
}

static int64_t judge(struct soapy_clock *c, double late_ns)
{
    c->checked++;
    c->off += fabs(late_ns) > base_tolerance_ns + 0.5e9 / c->rate_hz;
    if (late_ns < -c->tolerance_ns)
        c->tolerance_ns = -2 * late_ns;
    return late_ns > c->tolerance_ns ? llround(late_ns * c->rate_hz * 1e-9) : 0;
}

static int64_t set_aside(struct soapy_clock *c, int64_t stamp_ns, int64_t host_ns)
{
    const double late_ns = elapsed_ns(c->aside_ns, stamp_ns) - samples_ns(c, c->aside_since);
    if (c->has_aside && !is_jump(late_ns, elapsed_ns(c->host_ns, host_ns))) {
        begin(c, stamp_ns, host_ns);
        return SOAPY_CLOCK_SET;
    }
    c->absurd += c->has_aside;
    c->has_aside = true;
    c->aside_ns = stamp_ns;
    c->aside_since = 0;
    return SOAPY_CLOCK_ASIDE;
}

int64_t soapy_clock_stamp(struct soapy_clock *c, int64_t stamp_ns, int64_t host_ns)
{
    c->stamps++;
    if (!c->known) {
        begin(c, stamp_ns, host_ns);
        return 0;
    }
    const double late_ns = elapsed_ns(c->stamp_ns, stamp_ns) - samples_ns(c, c->since);
    if (is_jump(late_ns, elapsed_ns(c->host_ns, host_ns)))
        return set_aside(c, stamp_ns, host_ns);
    c->absurd += c->has_aside;
    refer_to(c, stamp_ns, host_ns);
    return judge(c, late_ns);
}

/* A radio that loses samples all the time has the stamps of the host's clock: they are right. */
double soapy_clock_wrong_rate(const struct soapy_clock *c)
{
    const double stamps = elapsed_ns(c->first_stamp_ns, c->stamp_ns);
    const double host = elapsed_ns(c->first_host_ns, c->host_ns);
    const double samples = samples_ns(c, c->samples - c->since);
    if (c->checked < MIN_STAMPS || 2 * c->off < c->checked)
        return 0;
    if (fabs(stamps - host) < latency_ns + crystals * host ||
        2 * fabs(samples - host) > fabs(stamps - host))
        return 0;
    return stamps / samples;
}

uint64_t soapy_clock_absurd(const struct soapy_clock *c)
{
    return c->absurd < MIN_ABSURD ? 0 : (c->stamps + c->absurd / 2) / c->absurd;
}
