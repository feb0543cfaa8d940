/* signal.c - generates tones and noise and rounds them as an ideal converter does. */
#include "tests/support/engine/signal.h"

#include <math.h>
#include <stdlib.h>

static double clip(double value, double low, double high)
{
    return fmin(fmax(rint(value), low), high);
}

void signal_put(enum fft_iq_format format, void *raw, uint64_t i, struct complex64 value)
{
    const double v[2] = {value.re, value.im};
    for (uint64_t c = 0; c < 2; c++)
        switch (format) {
        case FFT_IQ_CU8:
            ((uint8_t *)raw)[2 * i + c] = (uint8_t)clip(v[c] * 127.5 + 127.5, 0, 255);
            break;
        case FFT_IQ_CS8:
            ((int8_t *)raw)[2 * i + c] = (int8_t)clip(v[c] * 128, -128, 127);
            break;
        case FFT_IQ_CS16:
            ((int16_t *)raw)[2 * i + c] = (int16_t)clip(v[c] * 32768, -32768, 32767);
            break;
        default:
            ((float *)raw)[2 * i + c] = (float)v[c];
        }
}

void *signal_tone(enum fft_iq_format format, uint64_t samples, double amplitude, double cycles)
{
    void *raw = malloc((size_t)samples * fft_iq_bytes(format));
    for (uint64_t t = 0; t < samples; t++) {
        const double turns = fmod(cycles * (double)t, 1.0);
        const struct complex64 value = {amplitude * cos(2 * M_PI * turns),
                                        amplitude * sin(2 * M_PI * turns)};
        signal_put(format, raw, t, value);
    }
    return raw;
}

/* A random number in (0, 1). */
static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

/* The Box-Muller method: radius and angle of a Gaussian pair. */
void *signal_noise(enum fft_iq_format format, uint64_t samples, double power, uint64_t seed)
{
    void *raw = malloc((size_t)samples * fft_iq_bytes(format));
    for (uint64_t t = 0; t < samples; t++) {
        const double radius = sqrt(-power * log(uniform(&seed)));
        const double angle = 2 * M_PI * uniform(&seed);
        signal_put(format, raw, t, (struct complex64){radius * cos(angle), radius * sin(angle)});
    }
    return raw;
}

double signal_power(enum fft_iq_format format, const void *raw, uint64_t samples)
{
    double sum = 0;
    for (uint64_t t = 0; t < samples; t++) {
        const struct complex64 x = reference_sample(format, raw, t);
        sum += x.re * x.re + x.im * x.im;
    }
    return sum / (double)samples;
}

double to_db(double power)
{
    return 10 * log10(power);
}
