/* channel_resampler.c - interpolates between the samples of a channel. */
#include "daemon/channel/channel_resampler.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/ddc/ddc_kaiser.h"
#include "fft/bessel.h"

#define PI             3.14159265358979323846
#define ATTENUATION_DB 99.0 /* 32 taps, from 0.4 to 0.6 of the rate */
enum { PHASES = 512 };

/* A time in inputs: whole ones, and 2^-64 parts of one. */
struct place {
    uint64_t whole, part;
};

struct channel_resampler {
    struct place step; /* from one output to the next */
    double ratio;      /* the same */
    size_t most;
    int taps, half;
    uint64_t next;   /* output */
    struct place at; /* of it */
    uint64_t oldest; /* number of the input in kept[0], plus half: before 0 there are zeros */
    size_t have;
    struct fft_iq *kept; /* [taps + most] */
    struct fft_iq *out;  /* those of `most` inputs */
    float *tap;          /* [PHASES + 1][taps] */
};

/*
 * Row p has the taps of an output that lies p / PHASES after the input of tap half - 1. band: of
 * what passes, in parts of the input's.
 */
static void make_taps(struct channel_resampler *r, double band)
{
    const double beta = ddc_kaiser_beta(ATTENUATION_DB);
    for (int p = 0; p <= PHASES; p++)
        for (int k = 0; k < r->taps; k++) {
            const double t = k - (r->half - 1) - (double)p / PHASES, u = t / r->half;
            const double window =
                fabs(u) < 1 ? fft_bessel_i0(beta * sqrt(1 - u * u)) / fft_bessel_i0(beta) : 0;
            const double sinc = fabs(t) > 1e-12 ? sin(PI * band * t) / (PI * t) : band;
            r->tap[p * r->taps + k] = (float)(window * sinc);
        }
}

/* Rounded up to 2^-64: an output that is due at an input's time is never before it. */
static struct place make_step(double from_hz, double to_hz)
{
    const double ratio = from_hz / to_hz;
    const double rest = ldexp(fma(-ratio, to_hz, from_hz) / to_hz, 64); /* of that division */
    struct place step = {(uint64_t)ratio, (uint64_t)ldexp(fmod(ratio, 1), 64)};
    if (step.part == 0 && rest < 0)
        step.whole--;
    step.part += (uint64_t)(int64_t)ceil(rest);
    return step;
}

static int create(struct channel_resampler **out, double from_hz, double to_hz, size_t most,
                  double band)
{
    struct channel_resampler *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return -ENOMEM;
    r->ratio = from_hz / to_hz;
    r->step = make_step(from_hz, to_hz);
    r->most = most;
    r->half = (int)ceil(CHANNEL_TAPS / 2 / band);
    r->taps = 2 * r->half;
    r->kept = calloc((size_t)r->taps + most, sizeof *r->kept);
    r->out = calloc((size_t)ceil((double)most / r->ratio) + 1, sizeof *r->out);
    r->tap = calloc((PHASES + 1) * (size_t)r->taps, sizeof *r->tap);
    if (!r->kept || !r->out || !r->tap) {
        channel_resampler_destroy(r);
        return -ENOMEM;
    }
    make_taps(r, band);
    *out = r;
    return 0;
}

int channel_resampler_create(struct channel_resampler **out, double from_hz, double to_hz,
                             size_t most)
{
    assert(from_hz / to_hz >= 1 && from_hz / to_hz < 1000);
    return create(out, from_hz, to_hz, most, 1);
}

int channel_resampler_create_audio(struct channel_resampler **out, double from_hz, double to_hz,
                                   size_t most)
{
    assert(from_hz / to_hz > 0.001 && from_hz / to_hz < 1000);
    return create(out, from_hz, to_hz, most, fmin(to_hz / from_hz, 1));
}

void channel_resampler_destroy(struct channel_resampler *r)
{
    if (!r)
        return;
    free(r->kept);
    free(r->out);
    free(r->tap);
    free(r);
}

/* The upper 64 bits of the product. */
static uint64_t multiply_high(uint64_t a, uint64_t b)
{
    const uint64_t al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
    const uint64_t low = al * bl, one = ah * bl + (low >> 32), two = al * bh + (one & 0xffffffff);
    return ah * bh + (one >> 32) + (two >> 32);
}

static struct place place_of(const struct channel_resampler *r, uint64_t output)
{
    return (struct place){output * r->step.whole + multiply_high(output, r->step.part),
                          output * r->step.part};
}

uint64_t channel_resampler_before(const struct channel_resampler *r, uint64_t at)
{
    uint64_t output = (uint64_t)((double)at / r->ratio); /* near it */
    while (output > 0 && place_of(r, output - 1).whole >= at)
        output--;
    while (place_of(r, output).whole < at)
        output++;
    return output;
}

void channel_resampler_begin(struct channel_resampler *r, uint64_t first)
{
    const uint64_t half = (uint64_t)r->half;
    r->have = first == 0 ? (size_t)half : 0; /* zeros before the segment */
    memset(r->kept, 0, r->have * sizeof *r->kept);
    r->oldest = first == 0 ? 0 : first + half;
    r->next = first == 0 ? 0 : channel_resampler_before(r, first + half);
    r->at = place_of(r, r->next);
}

static struct fft_iq interpolate(const struct fft_iq *x, const float *a, const float *b, int taps,
                                 float share)
{
    float re = 0, im = 0;
    for (int k = 0; k < taps; k++) {
        const float tap = a[k] + share * (b[k] - a[k]);
        re += tap * x[k].re;
        im += tap * x[k].im;
    }
    return (struct fft_iq){re, im};
}

static void advance(struct channel_resampler *r)
{
    const uint64_t part = r->at.part + r->step.part;
    r->at.whole += r->step.whole + (part < r->at.part);
    r->at.part = part;
    r->next++;
}

size_t channel_resampler_push(struct channel_resampler *r, const struct fft_iq *in, size_t count,
                              uint64_t *first, const struct fft_iq **out)
{
    size_t made = 0;
    assert(count <= r->most && r->have <= (size_t)r->taps);
    if (in)
        memcpy(r->kept + r->have, in, count * sizeof *in);
    else
        memset(r->kept + r->have, 0, count * sizeof *r->kept);
    r->have += count;
    *first = r->next;
    *out = r->out;
    /* An output at whole.part uses the inputs whole - half + 1 .. whole + half. */
    while (r->at.whole + 1 + (uint64_t)r->taps <= r->oldest + r->have) {
        const struct fft_iq *x = r->kept + (r->at.whole + 1 - r->oldest);
        const double phase = ldexp((double)r->at.part, -64) * PHASES;
        const int row = (int)fmin(phase, PHASES - 1);
        const float *taps = r->tap + row * r->taps;
        r->out[made++] = interpolate(x, taps, taps + r->taps, r->taps, (float)(phase - row));
        advance(r);
    }
    const uint64_t needed = r->at.whole + 1; /* as `oldest` */
    const size_t drop = needed > r->oldest ? (size_t)(needed - r->oldest) : 0;
    const size_t gone = drop < r->have ? drop : r->have;
    memmove(r->kept, r->kept + gone, (r->have - gone) * sizeof *r->kept);
    r->have -= gone;
    r->oldest += gone;
    return made;
}
