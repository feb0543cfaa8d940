/* soapy_clock.c - compares each time stamp with the number of samples before it. */
#include "daemon/source/soapy/soapy_clock.h"

#include <math.h>

static const double base_tolerance_ns = 1e3, set_back_ns = 100e6, set_ahead_ns = 2e9;

void soapy_clock_init(struct soapy_clock *c, double rate_hz)
{
    *c = (struct soapy_clock){.rate_hz = rate_hz,
                              .tolerance_ns = base_tolerance_ns + 0.5e9 / rate_hz};
}

void soapy_clock_count(struct soapy_clock *c, uint64_t samples)
{
    c->since += samples;
}

static int64_t judge(struct soapy_clock *c, double late_ns, double host_elapsed_ns)
{
    if (late_ns < -set_back_ns || late_ns > host_elapsed_ns + set_ahead_ns)
        return SOAPY_CLOCK_SET;
    if (late_ns < -c->tolerance_ns)
        c->tolerance_ns = -2 * late_ns;
    return late_ns > c->tolerance_ns ? llround(late_ns * c->rate_hz * 1e-9) : 0;
}

/* Each stamp becomes the new reference, so that a small error of the rate does not add up. */
int64_t soapy_clock_stamp(struct soapy_clock *c, int64_t stamp_ns, int64_t host_ns)
{
    int64_t lost = 0;
    if (c->known) {
        const double due_ns = (double)c->since * 1e9 / c->rate_hz;
        const int64_t went_ns = (int64_t)((uint64_t)stamp_ns - (uint64_t)c->stamp_ns);
        const double late_ns = (double)went_ns - due_ns;
        lost = judge(c, late_ns, (double)(host_ns - c->host_ns));
    }
    c->known = true;
    c->stamp_ns = stamp_ns;
    c->host_ns = host_ns;
    c->since = 0;
    return lost;
}
