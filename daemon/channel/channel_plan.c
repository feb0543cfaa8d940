/* channel_plan.c - chooses blocks and filters of channels, and computes responses. */
#include "daemon/channel/channel_plan.h"

#include <errno.h>
#include <math.h>

#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/ddc/ddc_kaiser.h"
#include "fft/bessel.h"
#include "fft/radix.h"

#define PI             3.14159265358979323846
#define BLOCK_S        0.008
#define ATTENUATION_DB 88.0 /* for 80 dB: what is cut off at the outer bins is as large again */
#define RESAMPLED      1.25 /* rate before a conversion of the rate, at least: room for its slope */
#define WHOLE          1e-9 /* relative: a rate from a text is not exact */
#define RATE_MIN_HZ    100.0

/* ---- blocks ----------------------------------------------------------------------------- */

/* The nearest multiple of 8 that the library transforms. */
static uint32_t nearest_length(double samples)
{
    const uint32_t middle = (uint32_t)lround(samples / 8);
    for (uint32_t away = 0;; away++) {
        if (away < middle && fft_radix_is_smooth(middle - away))
            return 8 * (middle - away);
        if (fft_radix_is_smooth(middle + away))
            return 8 * (middle + away);
    }
}

void channel_grid_init(struct channel_grid *g, double rate_hz)
{
    double samples = rate_hz * BLOCK_S;
    while (samples > CHANNEL_BLOCK_MAX)
        samples /= 2;
    g->rate_hz = rate_hz;
    g->n = nearest_length(fmax(samples, CHANNEL_BLOCK_MIN));
    g->reach = g->n / 8;
    g->hop = g->n - 2 * g->reach;
}

double channel_grid_slope_hz(const struct channel_grid *g)
{
    return ddc_kaiser_order(ATTENUATION_DB, 1) / (2 * g->reach) * g->rate_hz;
}

/* ---- shapes ----------------------------------------------------------------------------- */

/* The points whose rate is rate_hz; 0: no transform has it. */
static uint32_t exact_points(const struct channel_grid *g, double rate_hz)
{
    const double m = rate_hz * g->n / g->rate_hz, whole = 8 * round(m / 8);
    const bool works = fabs(m - whole) < WHOLE * m && fft_radix_is_smooth((uint32_t)whole);
    return works ? (uint32_t)whole : 0;
}

static uint32_t points_above(const struct channel_grid *g, double rate_hz)
{
    uint32_t eighths = (uint32_t)ceil(rate_hz * g->n / g->rate_hz / 8);
    while (!fft_radix_is_smooth(eighths))
        eighths++;
    return 8 * eighths;
}

double channel_shape_bank_rate(const struct channel_shape *s, const struct channel_grid *g)
{
    return g->rate_hz * s->m / g->n;
}

static double highest_rate(const struct channel_grid *g)
{
    return fmin(fmax(g->rate_hz, CHANNEL_RATE_HZ),
                CHANNEL_POINTS_MAX / RESAMPLED * g->rate_hz / g->n);
}

static int refuse_rate(const struct channel_grid *g, double rate_hz, struct reason *why)
{
    char rate[40], low[40], high[40];
    si_format(rate_hz, 9, rate, sizeof rate);
    si_format(ceil(2 * channel_grid_slope_hz(g) / 100) * 100, 9, low, sizeof low);
    si_format(highest_rate(g), 9, high, sizeof high);
    return reason_key(
        why, -EINVAL, "rate_hz",
        "rate_hz: %sS/s is outside the range of this stream's channels, %sS/s to %sS/s", rate, low,
        high);
}

int channel_shape_plan(struct channel_shape *s, const struct channel_grid *g, double rate_hz,
                       double width_hz, struct reason *why)
{
    const double slope_hz = channel_grid_slope_hz(g);
    const double widest_hz = rate_hz - 2 * slope_hz;
    if (!(rate_hz >= RATE_MIN_HZ) || !(widest_hz > 0) || rate_hz > highest_rate(g) * (1 + WHOLE))
        return refuse_rate(g, rate_hz, why);
    if (!(width_hz >= 0) || width_hz > widest_hz * (1 + WHOLE)) {
        char width[40], rate[40], widest[40];
        si_format(width_hz, 9, width, sizeof width);
        si_format(rate_hz, 9, rate, sizeof rate);
        si_format(floor(widest_hz), 9, widest, sizeof widest);
        return reason_key(
            why, -EINVAL, "width_hz",
            "width_hz: %sHz is wider than %sHz, the maximum at %sS/s: request a higher rate", width,
            widest, rate);
    }
    *s = (struct channel_shape){.rate_hz = rate_hz, .m = exact_points(g, rate_hz)};
    s->pass_hz = (width_hz > 0 ? width_hz : widest_hz) / 2;
    s->stop_hz = s->pass_hz + slope_hz;
    s->resampled = s->m == 0;
    if (s->resampled)
        s->m = points_above(g, RESAMPLED * rate_hz);
    return 0;
}

/* ---- the response ----------------------------------------------------------------------- */

/* The transform of Kaiser's window of n / 4 samples at this many bins, with an integral of 1. */
static double window_spectrum(double bins, double beta)
{
    const double x = PI * bins / 4, square = beta * beta - x * x;
    const double root = sqrt(fabs(square));
    if (root < 1e-6)
        return 0.25;
    return 0.25 * (square > 0 ? sinh(root) : sin(root)) / root;
}

/* Its integral over at most one bin, by Simpson's rule: 64 points in each of its oscillations. */
static double integrate(double from, double to, double beta)
{
    enum { PARTS = 8 };
    const double step = (to - from) / (2 * PARTS);
    double sum = window_spectrum(from, beta) + window_spectrum(to, beta);
    for (int i = 1; i < 2 * PARTS; i++)
        sum += (i % 2 ? 4 : 2) * window_spectrum(from + i * step, beta);
    return sum * step / 3;
}

/*
 * The response of an ideal low-pass, smoothed by the window's spectrum: at bin b it is the integral
 * from b - edge to b + edge.
 */
void channel_shape_response(const struct channel_shape *s, const struct channel_grid *g, float *out)
{
    const double beta = ddc_kaiser_beta(ATTENUATION_DB);
    const double edge = (s->pass_hz + s->stop_hz) / 2 * g->n / g->rate_hz;
    const double scale = 1 / (fft_bessel_i0(beta) * g->n);
    const uint32_t half = s->m / 2;
    double value = 0;
    for (double at = 0; at < edge; at += 1)
        value += 2 * integrate(at, fmin(at + 1, edge), beta);
    for (uint32_t b = 0; b <= half; b++) {
        if (b < half)
            out[b] = (float)(value * scale);
        if (b > 0)
            out[s->m - b] = (float)(value * scale);
        value += integrate(b + edge, b + 1 + edge, beta) - integrate(b - edge, b + 1 - edge, beta);
    }
}

/* The integral of the window's spectrum from half a slope before the bin on. */
void channel_grid_slope(const struct channel_grid *g, float out[CHANNEL_SLOPE])
{
    const double beta = ddc_kaiser_beta(ATTENUATION_DB), whole = fft_bessel_i0(beta);
    const double middle = channel_grid_slope_hz(g) * g->n / g->rate_hz / 2;
    double value = 0;
    for (double at = 0; at < middle; at += 1)
        value -= integrate(at, fmin(at + 1, middle), beta);
    for (int i = 0; i < CHANNEL_SLOPE; i++) {
        out[i] = (float)(0.5 + value / whole);
        value += integrate(i - middle, i + 1 - middle, beta);
    }
}
