/* demod_tone.c - correlations with all tones, and the decision. */
#include "daemon/demod/demod_tone.h"

#include <math.h>
#include <string.h>

#define RATE_HZ 1000.0
enum { PART = DEMOD_TONE_PART, PARTS = DEMOD_TONE_PARTS };

static const double share_gone = 0.2;
static const double most_hz = 0.6; /* between a tone of the list and the one that is there */

/* What the newest parts must be like. */
struct rule {
    int parts;
    double share;
    double bend;   /* radians, rms, of the phases of parts from a line */
    double ripple; /* of the amplitude, from part to part */
};

/* A transmission begins with its tone, and nobody speaks yet; later, a voice may hold its pitch. */
static const struct rule early = {4, 0.8, 0.08, 0.15}, late = {PARTS, 0.75, 0.06, 0.15};
enum { EARLY_PARTS = 12 };

const double demod_tones_hz[DEMOD_TONES] = {
    67.0,  69.3,  71.9,  74.4,  77.0,  79.7,  82.5,  85.4,  88.5,  91.5,  94.8,  97.4,  100.0,
    103.5, 107.2, 110.9, 114.8, 118.8, 123.0, 127.3, 131.8, 136.5, 141.3, 146.2, 150.0, 151.4,
    156.7, 159.8, 162.2, 165.5, 167.9, 171.3, 173.8, 177.3, 179.9, 183.5, 186.2, 189.9, 192.8,
    196.6, 199.5, 203.5, 206.5, 210.7, 218.1, 225.7, 229.1, 233.6, 241.8, 250.3, 254.1};

static const struct demod_band below_speech = {
    .high_hz = 285, .slope_hz = 90, .attenuation_db = 50};

int demod_tone_init(struct demod_tone *t, double rate_hz)
{
    for (int k = 0; k < DEMOD_TONES; k++) {
        const double turn = 2 * M_PI * demod_tones_hz[k] / RATE_HZ;
        for (int i = 0; i < PART; i++) {
            t->re[k][i] = (float)cos(turn * i);
            t->im[k][i] = (float)-sin(turn * i);
        }
        t->step_re[k] = cos(turn * PART);
        t->step_im[k] = -sin(turn * PART);
    }
    for (int i = 0; i < 2; i++)
        demod_biquad_highpass(&t->highpass[i], RATE_HZ, 45, i, 2);
    const int err =
        demod_filter_init(&t->filter, &below_speech, rate_hz, (uint32_t)(rate_hz / RATE_HZ));
    if (err == 0)
        demod_tone_reset(t);
    return err;
}

void demod_tone_finish(struct demod_tone *t)
{
    demod_filter_finish(&t->filter);
}

void demod_tone_reset(struct demod_tone *t)
{
    demod_filter_reset(&t->filter);
    for (int i = 0; i < 2; i++)
        demod_biquad_reset(&t->highpass[i]);
    for (int k = 0; k < DEMOD_TONES; k++) {
        t->turn_re[k] = 1;
        t->turn_im[k] = 0;
    }
    memset(t->sum, 0, sizeof t->sum);
    memset(t->power, 0, sizeof t->power);
    t->have = 0;
    t->parts = 0;
    t->tone = -1;
}

/* ---- the decision ------------------------------------------------------------------------- */

/* Of the power of the newest parts. */
static double share_of(const struct demod_tone *t, int tone, int parts)
{
    double re = 0, im = 0, power = 0;
    for (int p = PARTS - parts; p < PARTS; p++) {
        re += (double)t->sum[tone][p].re;
        im += (double)t->sum[tone][p].im;
        power += t->power[p];
    }
    return power > 0 ? 2 * (re * re + im * im) / (PART * parts * power) : 0;
}

static int largest(const struct demod_tone *t, int parts)
{
    int best = 0;
    for (int k = 1; k < DEMOD_TONES; k++)
        if (share_of(t, k, parts) > share_of(t, best, parts))
            best = k;
    return best;
}

static double angle_between(struct fft_iq a, struct fft_iq b)
{
    const double ar = (double)a.re, ai = (double)a.im, br = (double)b.re, bi = (double)b.im;
    return atan2(ar * bi - ai * br, ar * br + ai * bi);
}

/* A line through the phases: *hz of its slope; returns how far they are from it, in radians. */
static double bend_of(const struct fft_iq *sum, int parts, double *hz)
{
    double phase[PARTS] = {0}, mean = 0, slope = 0, across = 0, square = 0;
    for (int p = 0; p < parts; p++) {
        phase[p] = p > 0 ? phase[p - 1] + angle_between(sum[p - 1], sum[p]) : 0;
        mean += phase[p] / parts;
    }
    for (int p = 0; p < parts; p++) {
        const double x = p - (parts - 1) / 2.0;
        slope += x * phase[p];
        across += x * x;
    }
    slope /= across;
    for (int p = 0; p < parts; p++) {
        const double rest = phase[p] - mean - slope * (p - (parts - 1) / 2.0);
        square += rest * rest;
    }
    *hz = slope / (2 * M_PI) * RATE_HZ / PART;
    return sqrt(square / parts);
}

/* A tone that has just begun does not fill the oldest part. */
static double ripple_of(const struct fft_iq *sum, int parts)
{
    double least = INFINITY, most = 0;
    for (int p = 1; p < parts; p++) {
        const double size = hypot((double)sum[p].re, (double)sum[p].im);
        least = fmin(least, size);
        most = fmax(most, size);
    }
    return most > 0 ? (most - least) / most : 1;
}

static int nearest(double hz)
{
    int best = 0;
    for (int k = 1; k < DEMOD_TONES; k++)
        if (fabs(demod_tones_hz[k] - hz) < fabs(demod_tones_hz[best] - hz))
            best = k;
    return best;
}

/* The tone that the newest parts have, or -1. */
static int find(const struct demod_tone *t, const struct rule *rule)
{
    double hz;
    const int best = largest(t, rule->parts);
    const struct fft_iq *sum = t->sum[best] + PARTS - rule->parts;
    if (share_of(t, best, rule->parts) < rule->share ||
        bend_of(sum, rule->parts, &hz) > rule->bend || ripple_of(sum, rule->parts) > rule->ripple)
        return -1;
    const int tone = nearest(demod_tones_hz[best] + hz);
    return fabs(demod_tones_hz[best] + hz - demod_tones_hz[tone]) < most_hz ? tone : -1;
}

/* The newest part against three before it, if it is a tone at all. */
static bool reversed(const struct demod_tone *t)
{
    const struct fft_iq *sum = t->sum[t->tone], newest = sum[PARTS - 1];
    struct fft_iq before = {0, 0};
    for (int p = PARTS - 4; p < PARTS - 1; p++) {
        before.re += sum[p].re;
        before.im += sum[p].im;
    }
    const double re = (double)newest.re, im = (double)newest.im;
    const double share = 2 * (re * re + im * im) / (PART * t->power[PARTS - 1] + 1e-30);
    return share > 0.4 && fabs(angle_between(before, newest)) > M_PI / 2;
}

static void decide(struct demod_tone *t)
{
    int found = -1;
    if (t->parts >= early.parts && t->parts <= EARLY_PARTS)
        found = find(t, &early);
    if (found < 0 && t->parts >= late.parts)
        found = find(t, &late);
    const bool gone =
        t->tone >= 0 && (share_of(t, t->tone, early.parts) < share_gone || reversed(t));
    if (gone) {
        t->tone = -1;
        t->parts = EARLY_PARTS; /* what comes now is no beginning */
        memset(t->sum, 0, sizeof t->sum);
    } else if (found >= 0) {
        t->tone = found;
    }
}

/* ---- samples ------------------------------------------------------------------------------ */

static void correlate(struct demod_tone *t, int k)
{
    float re = 0, im = 0;
    for (int i = 0; i < PART; i++) {
        re += t->held[i] * t->re[k][i];
        im += t->held[i] * t->im[k][i];
    }
    const double a = t->turn_re[k], b = t->turn_im[k];
    memmove(t->sum[k], t->sum[k] + 1, (PARTS - 1) * sizeof t->sum[k][0]);
    t->sum[k][PARTS - 1] = (struct fft_iq){(float)((double)re * a - (double)im * b),
                                           (float)((double)re * b + (double)im * a)};
    const double c = a * t->step_re[k] - b * t->step_im[k];
    const double d = a * t->step_im[k] + b * t->step_re[k];
    const double keep = (3 - (c * c + d * d)) / 2; /* of the length 1 */
    t->turn_re[k] = c * keep;
    t->turn_im[k] = d * keep;
}

static void finish_part(struct demod_tone *t)
{
    double power = 0;
    for (int i = 0; i < PART; i++)
        power += (double)t->held[i] * (double)t->held[i];
    memmove(t->power, t->power + 1, (PARTS - 1) * sizeof t->power[0]);
    t->power[PARTS - 1] = power;
    for (int k = 0; k < DEMOD_TONES; k++)
        correlate(t, k);
    t->parts += t->parts <= EARLY_PARTS;
    t->have = 0;
    decide(t);
}

void demod_tone_run(struct demod_tone *t, const float *x, size_t count)
{
    float a[DDC_STAGE_BLOCK / 24 + 1], b[DDC_STAGE_BLOCK / 24 + 1];
    const size_t outputs = demod_filter_run(&t->filter, x, x, count, a, b);
    for (int i = 0; i < 2; i++)
        demod_biquad_run(&t->highpass[i], a, outputs, 1);
    for (size_t i = 0; i < outputs; i++) {
        t->held[t->have++] = a[i];
        if (t->have == PART)
            finish_part(t);
    }
}

double demod_tone_hz(const struct demod_tone *t)
{
    return t->tone >= 0 ? demod_tones_hz[t->tone] : (double)NAN;
}
