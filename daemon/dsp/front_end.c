/* front_end.c - stretches of samples, their averages, and the correction that they give. */
#include "daemon/dsp/front_end.h"

#include <math.h>

enum {
    BLOCK = 64,           /* samples with the same weight in the Hann window */
    FIRST_SAMPLES = 1024, /* of the first period, at least */
    DOUBLINGS = 3,        /* of the period */
    DC_PERIODS = 8,       /* long periods in the average of the offset */
    IQ_PERIODS = 64,      /* and of the imbalance */
    IQ_FIRST = 8,         /* before a first estimate of the imbalance */
    DUTY = 16
};
static const double first_seconds = 0.01, full_rate_hz = 4e6;
/* Receivers are better than that; beyond it the signal is symmetric about the centre. */
static const double most_gain = 1.4126 /* 3 dB */, most_sine = 0.25882 /* 15 degrees */;
/* Estimates of one imbalance differ by less: an image of -54 dB, or a tenth of its own. */
static const double least_apart = 0.004, part_apart = 0.1, deviations = 5;

/* ---- stretches -------------------------------------------------------------------------- */

static uint64_t period_of(const struct front_end *f, uint32_t stretch)
{
    const double first = fmax(f->rate_hz * first_seconds, FIRST_SAMPLES);
    return (uint64_t)first << (stretch < DOUBLINGS ? stretch : DOUBLINGS);
}

static uint64_t length_of(const struct front_end *f, uint64_t period)
{
    const double part = fmin(fmax(full_rate_hz / f->rate_hz, 1.0 / DUTY), 1);
    const uint64_t length = (uint64_t)((double)period * part);
    return length / BLOCK * BLOCK;
}

static void start_stretch(struct front_end *f, uint64_t position)
{
    f->start = position;
    f->period = period_of(f, f->stretches);
    f->length = length_of(f, f->period);
    f->pivot = (struct fft_iq){(float)f->mean.i, (float)f->mean.q};
    f->moments = (struct moments){0};
    f->steps = (struct moment_steps){.begun = false};
}

void front_end_restart(struct front_end *f, enum fft_iq_format format, double rate_hz)
{
    *f = (struct front_end){.format = format, .rate_hz = rate_hz, .next = UINT64_MAX};
}

static void average(double *into, double value, double part)
{
    *into += (value - *into) * part;
}

/* Adds a period's weight and returns its part of the average. */
static double grow(double *weight, double period, double most)
{
    *weight = fmin(*weight + period, most);
    return period / *weight;
}

/* ---- the imbalance ---------------------------------------------------------------------- */

static bool has_iq(const struct front_end *f)
{
    return f->stretches >= DOUBLINGS + IQ_FIRST && f->mean.ii > 0 && f->mean.qq > 0;
}

static double gain_of(const struct moments_mean *m)
{
    return sqrt(m->qq / m->ii);
}

static double sine_of(const struct moments_mean *m)
{
    return m->iq / sqrt(m->ii * m->qq);
}

static bool is_plausible(const struct moments_mean *m)
{
    const double gain = gain_of(m);
    return gain <= most_gain && gain >= 1 / most_gain && fabs(sine_of(m)) <= most_sine;
}

/* E[z^2] / E[|z|^2]. */
static struct fft_iq symmetry_of(const struct moments_mean *m)
{
    const double power = fmax(m->ii + m->qq, 1e-300);
    return (struct fft_iq){(float)((m->ii - m->qq) / power), (float)(2 * m->iq / power)};
}

/*
 * Half of the largest difference to the estimate: the amplitude of the images that a correction by
 * a wrong one makes. 0: all agree, as far as noise and the rounding of samples let them.
 */
static double doubt_of(const struct front_end *f)
{
    const struct fft_iq all = symmetry_of(&f->mean);
    double apart = 0;
    for (size_t i = 0; i < MOMENT_LAGS; i++) {
        const struct fft_iq step = symmetry_of(&f->step[i]);
        apart = fmax(apart, hypot((double)(all.re - step.re), (double)(all.im - step.im)));
    }
    const double samples = f->iq_weight * (double)f->length / (double)f->period;
    const double allowed = fmax(fmax(least_apart, deviations / sqrt(samples)),
                                part_apart * hypot((double)all.re, (double)all.im));
    return apart > allowed ? apart / 2 : 0;
}

static void average_powers(struct moments_mean *into, const struct moments_mean *m, double part)
{
    average(&into->ii, m->ii, part);
    average(&into->qq, m->qq, part);
    average(&into->iq, m->iq, part);
}

static void finish_stretch(struct front_end *f)
{
    const struct moments_mean m = moments_mean(&f->moments, f->pivot);
    const double period = (double)f->period, longest = (double)period_of(f, DOUBLINGS);
    const double dc = grow(&f->dc_weight, period, DC_PERIODS * longest);
    average(&f->mean.i, m.i, dc);
    average(&f->mean.q, m.q, dc);
    if (f->stretches++ < DOUBLINGS)
        return;
    const double iq = grow(&f->iq_weight, period, IQ_PERIODS * longest);
    average_powers(&f->mean, &m, iq);
    for (size_t i = 0; i < MOMENT_LAGS; i++) {
        const struct moments_mean step = moments_mean(&f->steps.sums[i], (struct fft_iq){0, 0});
        average_powers(&f->step[i], &step, iq);
    }
    if (has_iq(f) && is_plausible(&f->mean) && !(doubt_of(f) > 0)) {
        f->good = f->mean;
        f->has_good = true;
    }
}

/* Adds `count` samples of one block of the stretch; `at` counts from its start. */
static void add(struct front_end *f, const void *raw, uint64_t at, size_t count)
{
    const uint64_t block = at / BLOCK * BLOCK;
    const double middle = (double)block + BLOCK / 2.0;
    const double sine = sin(M_PI * middle / (double)f->length);
    moments_add(&f->moments, &f->steps, f->format, raw, count, f->pivot, sine * sine);
}

/* Samples to the end of the block, the stretch, its period or the data. */
static uint64_t piece_of(const struct front_end *f, uint64_t at, uint64_t left)
{
    uint64_t piece = at < f->length ? BLOCK - at % BLOCK : f->period - at;
    return piece < left ? piece : left;
}

void front_end_read(struct front_end *f, const void *raw, uint64_t position, uint64_t samples)
{
    const char *at = raw;
    if (position != f->next)
        start_stretch(f, position);
    f->next = position + samples;
    while (samples > 0) {
        const uint64_t offset = position - f->start, piece = piece_of(f, offset, samples);
        if (offset < f->length)
            add(f, at, offset, (size_t)piece);
        if (offset < f->length && offset + piece == f->length)
            finish_stretch(f);
        if (offset + piece == f->period)
            start_stretch(f, position + piece);
        at += piece * fft_iq_bytes(f->format);
        position += piece;
        samples -= piece;
    }
}

/* ---- results ---------------------------------------------------------------------------- */

const struct front_end_figures front_end_no_figures = {NAN, NAN, NAN, NAN, false, false, NAN};

struct front_end_figures front_end_figures(const struct front_end *f, double stream_scale)
{
    struct front_end_figures out = front_end_no_figures;
    if (f->stretches > 0)
        out.dc_dbfs = 20 * log10(hypot(f->mean.i, f->mean.q) / stream_scale);
    if (!has_iq(f))
        return out;
    const double g = gain_of(&f->mean), sine = fmin(fmax(sine_of(&f->mean), -1), 1),
                 cosine = sqrt(1 - sine * sine);
    out.gain_db = 20 * log10(g);
    out.phase_degrees = asin(sine) * 180 / M_PI;
    out.image_rejection_db =
        10 * log10((1 + 2 * g * cosine + g * g) / (1 - 2 * g * cosine + g * g));
    const double doubt = doubt_of(f);
    out.plausible = is_plausible(&f->mean) && !(doubt > 0);
    out.held = f->has_good && !out.plausible;
    out.doubt_db = doubt > 0 ? 20 * log10(doubt) : NAN;
    return out;
}

struct fft_correction front_end_correction(const struct front_end *f, bool dc, bool iq)
{
    struct fft_correction c = {.ii = 1, .qq = 1};
    if (dc && f->stretches > 0) {
        c.dc_i = (float)f->mean.i;
        c.dc_q = (float)f->mean.q;
    }
    if (iq && f->has_good) {
        const double g = gain_of(&f->good), sine = sine_of(&f->good),
                     cosine = sqrt(1 - sine * sine);
        const double scale = sqrt((1 + g * g) / 2); /* the power of the samples stays */
        c.ii = (float)scale;
        c.qi = (float)(-scale * sine / cosine);
        c.qq = (float)(scale / (g * cosine));
    }
    return c;
}
