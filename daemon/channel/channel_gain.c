/* channel_gain.c - scales, rounds and clips samples. */
#include "daemon/channel/channel_gain.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/si.h"

#define MEAN_S  2.0
#define WAIT_S  10.0
#define STEP    2.0              /* 6.02 dB */
#define TARGET  3.98107170553e-3 /* -24 dBFS of power */
#define PEAK    0.891250938134   /* -1 dBFS of a component */
#define MOST_DB 120.0

int channel_format_read_gain(struct channel_format *f, const char *text, struct reason *why)
{
    const bool given = text && *text;
    f->automatic =
        given ? strcmp(text, "auto") == 0 : f->format == FFT_IQ_CU8 || f->format == FFT_IQ_CS8;
    if (!given || f->automatic)
        return 0;
    if (si_parse_unit(text, SI_DB, &f->gain_db) < 0 || !(fabs(f->gain_db) <= MOST_DB))
        return reason_key(why, -EINVAL, "gain", "gain: '%s' is not auto or -%g to %g dB", text,
                          MOST_DB, MOST_DB);
    return 0;
}

void channel_gain_init(struct channel_gain *g, bool automatic, double gain_db)
{
    *g = (struct channel_gain){.automatic = automatic,
                               .gain = automatic ? 1 : pow(10, gain_db / 20)};
}

double channel_gain_db(const struct channel_gain *g)
{
    return 20 * log10(g->gain);
}

/* ---- the automatic gain ------------------------------------------------------------------- */

static void measure(struct channel_gain *g, double seconds, const struct fft_iq *in, size_t count,
                    double *peak)
{
    double sum = 0;
    *peak = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)in[i].re * in[i].re + (double)in[i].im * in[i].im;
        *peak = fmax(*peak, fmax(fabs((double)in[i].re), fabs((double)in[i].im)));
    }
    const double share = g->begun ? 1 - exp(-seconds / MEAN_S) : 1;
    g->power += share * (sum / (double)count - g->power);
}

/* The highest gain that suits this power and peak. Silence: the lowest one. */
static double highest(double power, double peak)
{
    double gain = 1;
    for (int i = 0; i < CHANNEL_GAIN_STEPS && peak > 0; i++) {
        const double next = gain * STEP;
        if (power * next * next > TARGET || peak * next > PEAK)
            break;
        gain = next;
    }
    return gain;
}

static void adapt(struct channel_gain *g, double rate_hz, const struct fft_iq *in, size_t count)
{
    const double seconds = (double)count / rate_hz;
    double peak;
    measure(g, seconds, in, count, &peak);
    g->peak = fmax(g->peak, peak);
    if (!g->begun)
        g->gain = highest(g->power, peak);
    g->begun = true;
    while (g->gain > 1 && peak * g->gain > PEAK)
        g->gain /= STEP;
    g->waited_s += seconds;
    if (g->waited_s < WAIT_S)
        return;
    g->gain = fmax(g->gain, highest(g->power, g->peak));
    g->waited_s = g->peak = 0;
}

/* ---- packing ------------------------------------------------------------------------------- */

static long round_to(double value, long low, long high, bool *clipped)
{
    const long whole = lrint(fmin(fmax(value, -1e6), 1e6));
    *clipped = *clipped || whole < low || whole > high;
    return whole < low ? low : whole > high ? high : whole;
}

/* Both components of a sample. */
static bool pack_one(enum fft_iq_format format, const double *value, void *out, size_t at)
{
    bool clipped = false;
    for (size_t i = 2 * at, k = 0; k < 2; i++, k++)
        switch (format) {
        case FFT_IQ_CU8:
            ((uint8_t *)out)[i] = (uint8_t)round_to(127.5 * value[k] + 127.5, 0, 255, &clipped);
            break;
        case FFT_IQ_CS8:
            ((int8_t *)out)[i] = (int8_t)round_to(128 * value[k], -128, 127, &clipped);
            break;
        case FFT_IQ_CS16:
            ((int16_t *)out)[i] = (int16_t)round_to(32768 * value[k], -32768, 32767, &clipped);
            break;
        default:
            ((float *)out)[i] = (float)value[k];
        }
    return clipped;
}

void channel_gain_pack(struct channel_gain *g, enum fft_iq_format format, double rate_hz,
                       const struct fft_iq *in, size_t count, void *out)
{
    if (g->automatic && count > 0)
        adapt(g, rate_hz, in, count);
    for (size_t i = 0; i < count; i++) {
        const double value[] = {g->gain * in[i].re, g->gain * in[i].im};
        g->clipped += pack_one(format, value, out, i);
    }
}
