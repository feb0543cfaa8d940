/* demod_meter.c - sums over windows of 100 ms. */
#include "daemon/demod/demod_meter.h"

#include <math.h>

#define WINDOW_S 0.1

void demod_meter_init(struct demod_meter *m, double rate_hz)
{
    m->window = (size_t)ceil(rate_hz * WINDOW_S);
    m->rate_hz = rate_hz;
    demod_meter_reset(m);
}

void demod_meter_reset(struct demod_meter *m)
{
    m->have = 0;
    m->sum = m->squares = m->turn_re = m->turn_im = m->re = m->im = 0;
    m->m2 = m->m4 = -1;
    m->offset_hz = (double)NAN;
}

static void finish_window(struct demod_meter *m)
{
    m->m2 = m->sum / (double)m->window;
    m->m4 = m->squares / (double)m->window;
    m->offset_hz =
        m->m2 > 0 ? atan2(m->turn_im, m->turn_re) / (2 * M_PI) * m->rate_hz : (double)NAN;
    m->sum = m->squares = m->turn_re = m->turn_im = 0;
    m->have = 0;
}

void demod_meter_run(struct demod_meter *m, const float *re, const float *im, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double a = (double)re[i], b = (double)im[i], power = a * a + b * b;
        m->sum += power;
        m->squares += power * power;
        m->turn_re += a * m->re + b * m->im;
        m->turn_im += b * m->re - a * m->im;
        m->re = a;
        m->im = b;
        if (++m->have == m->window)
            finish_window(m);
    }
}

double demod_meter_offset_hz(const struct demod_meter *m)
{
    return m->offset_hz;
}

double demod_meter_level_dbfs(const struct demod_meter *m)
{
    return m->m2 < 0 ? (double)NAN : 10 * log10(m->m2 + 1e-30);
}

double demod_meter_snr_db(const struct demod_meter *m)
{
    const double square = 2 * m->m2 * m->m2 - m->m4, most = 1e12; /* beyond, there are roundings */
    if (m->m2 <= 0 || square <= 0)
        return (double)NAN;
    const double carrier = sqrt(square);
    return 10 * log10(carrier / fmax(m->m2 - carrier, carrier / most));
}

void demod_range_init(struct demod_range *r, double rate_hz)
{
    r->window = (size_t)ceil(rate_hz * WINDOW_S);
    demod_range_reset(r);
}

static void next_window(struct demod_range *r)
{
    r->have = 0;
    r->sum = 0;
    r->least = INFINITY;
    r->most = -INFINITY;
}

void demod_range_reset(struct demod_range *r)
{
    next_window(r);
    r->newest_mean = r->newest_half = (double)NAN;
}

void demod_range_run(struct demod_range *r, const float *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        r->sum += (double)x[i];
        r->least = x[i] < r->least ? x[i] : r->least;
        r->most = x[i] > r->most ? x[i] : r->most;
        if (++r->have < r->window)
            continue;
        r->newest_mean = r->sum / (double)r->window;
        r->newest_half = ((double)r->most - (double)r->least) / 2;
        next_window(r);
    }
}
