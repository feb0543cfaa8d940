/* measure_signal.c - tones, noise, noise in a band, and RRC-QPSK, for measurements under test. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/measure/measure_fixture.h"

struct fft_iq *fixture_silence(size_t count)
{
    struct fft_iq *iq = calloc(count, sizeof *iq);
    assert_non_null(iq);
    return iq;
}

void fixture_add_tone(struct fft_iq *iq, size_t count, double amplitude, double cycles_per_sample)
{
    for (size_t i = 0; i < count; i++) {
        const double angle = 2 * M_PI * fmod(cycles_per_sample * (double)i, 1);
        iq[i].re += (float)(amplitude * cos(angle));
        iq[i].im += (float)(amplitude * sin(angle));
    }
}

/* A random number in (0, 1). */
static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

/* Complex Gaussian of the given mean power, by the Box-Muller method. */
static struct fft_iq gauss(double power, uint64_t *seed)
{
    const double radius = sqrt(-power * log(uniform(seed)));
    const double angle = 2 * M_PI * uniform(seed);
    return (struct fft_iq){(float)(radius * cos(angle)), (float)(radius * sin(angle))};
}

static void add(struct fft_iq *to, struct fft_iq value)
{
    to->re += value.re;
    to->im += value.im;
}

void fixture_add_noise(struct fft_iq *iq, size_t count, double power, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        add(&iq[i], gauss(power, &seed));
}

static void transform(struct fft_iq *iq, size_t count, enum fft_transform_type type)
{
    const struct fft_engine_config config = {.name = "cpu", .threads = 1};
    const struct fft_transform_config plan = {
        .type = type, .rank = 1, .n = {(uint32_t)count}, .batch = 1, .in_place = true};
    struct fft_engine *e = NULL;
    struct fft_transform *t = NULL;
    assert_int_equal(fft_engine_open(&e, &config, NULL, 0), 0);
    assert_int_equal(fft_transform_create(&t, e, &plan, NULL, 0), 0);
    assert_int_equal(fft_transform_execute(t, iq, iq), 0);
    fft_transform_destroy(t);
    fft_engine_close(e);
}

/* The frequency of bin k of count, -0.5 .. 0.5 cycles per sample. */
static double frequency_of(size_t k, size_t count)
{
    const double f = (double)k / (double)count;
    return f < 0.5 ? f : f - 1;
}

void fixture_add_band(struct fft_iq *iq, size_t count, double density, double low, double high,
                      uint64_t seed)
{
    struct fft_iq *bins = fixture_silence(count);
    for (size_t k = 0; k < count; k++) {
        const double f = frequency_of(k, count);
        if (f >= low && f < high)
            bins[k] = gauss(density / (double)count, &seed);
    }
    transform(bins, count, FFT_TRANSFORM_INVERSE);
    for (size_t i = 0; i < count; i++)
        add(&iq[i], bins[i]);
    free(bins);
}

/* The root of a raised cosine spectrum; f in symbol rates. */
static double root_raised_cosine(double f, double roll_off)
{
    const double inner = (1 - roll_off) / 2, outer = (1 + roll_off) / 2;
    if (fabs(f) <= inner)
        return 1;
    return fabs(f) >= outer ? 0 : cos(M_PI / 2 * (fabs(f) - inner) / roll_off);
}

void fixture_add_qpsk(struct fft_iq *iq, size_t count, unsigned samples_per_symbol, double roll_off,
                      double cycles_per_sample, uint64_t seed)
{
    struct fft_iq *wave = fixture_silence(count);
    const double amplitude = samples_per_symbol * sqrt(0.5) / (double)count;
    for (size_t i = 0; i < count; i += samples_per_symbol) {
        wave[i].re = (float)(uniform(&seed) < 0.5 ? -amplitude : amplitude);
        wave[i].im = (float)(uniform(&seed) < 0.5 ? -amplitude : amplitude);
    }
    transform(wave, count, FFT_TRANSFORM_FORWARD);
    for (size_t k = 0; k < count; k++) {
        const double f = frequency_of(k, count) * samples_per_symbol;
        const double gain = root_raised_cosine(f, roll_off);
        wave[k].re *= (float)gain;
        wave[k].im *= (float)gain;
    }
    transform(wave, count, FFT_TRANSFORM_INVERSE);
    for (size_t i = 0; i < count; i++) {
        const double angle = 2 * M_PI * fmod(cycles_per_sample * (double)i, 1);
        const double c = cos(angle), s = sin(angle), re = (double)wave[i].re,
                     im = (double)wave[i].im;
        add(&iq[i], (struct fft_iq){(float)(re * c - im * s), (float)(re * s + im * c)});
    }
    free(wave);
}
