/* iq.c - the raw sample formats: their table, and conversion loops that gcc vectorises. */
#include "fft/iq.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    size_t bytes;
    double full_scale, lowest, highest; /* raw units, from the format's zero */
} formats[FFT_IQ_FORMATS] = {
    [FFT_IQ_CU8] = {"cu8", 2, 127.5, -127.5, 127.5},
    [FFT_IQ_CS8] = {"cs8", 2, 128, -128, 127},
    [FFT_IQ_CS16] = {"cs16", 4, 32768, -32768, 32767},
    [FFT_IQ_CF32] = {"cf32", 8, 1, 0, 0},
};

size_t fft_iq_bytes(enum fft_iq_format format)
{
    return formats[format].bytes;
}

const char *fft_iq_name(enum fft_iq_format format)
{
    return formats[format].name;
}

double fft_iq_full_scale(enum fft_iq_format format)
{
    return formats[format].full_scale;
}

int fft_iq_parse(const char *name, enum fft_iq_format *out)
{
    for (unsigned i = 0; i < FFT_IQ_FORMATS; i++)
        if (strcmp(name, formats[i].name) == 0) {
            *out = (enum fft_iq_format)i;
            return 0;
        }
    return -EINVAL;
}

#define DEFINE_UNPACK(name, type, zero, scale)                                                     \
    static void unpack_##name(const type *restrict raw, float *restrict out, size_t components)    \
    {                                                                                              \
        for (size_t i = 0; i < components; i++)                                                    \
            out[i] = ((float)raw[i] - (zero)) * (scale);                                           \
    }

DEFINE_UNPACK(cu8, uint8_t, 127.5F, 1.0F / 127.5F)
DEFINE_UNPACK(cs8, int8_t, 0.0F, 1.0F / 128.0F)
DEFINE_UNPACK(cs16, int16_t, 0.0F, 1.0F / 32768.0F)

void fft_iq_unpack(enum fft_iq_format format, const void *raw, struct fft_iq *out, size_t samples)
{
    float *components = &out->re;

    switch (format) {
    case FFT_IQ_CU8:
        unpack_cu8(raw, components, 2 * samples);
        break;
    case FFT_IQ_CS8:
        unpack_cs8(raw, components, 2 * samples);
        break;
    case FFT_IQ_CS16:
        unpack_cs16(raw, components, 2 * samples);
        break;
    default:
        memcpy(out, raw, samples * sizeof *out);
    }
}

/*
 * A counter as narrow as a component, added up before it can overflow, needs no widening in the
 * inner loop, which then uses whole vector registers.
 */
#define DEFINE_COUNT(name, type, counter, block)                                                   \
    static uint64_t count_##name(const type *raw, size_t samples, type low, type high)             \
    {                                                                                              \
        uint64_t total = 0;                                                                        \
        while (samples > 0) {                                                                      \
            const size_t now = samples < (block) ? samples : (block);                              \
            counter count = 0;                                                                     \
            for (size_t i = 0; i < now; i++)                                                       \
                count = (counter)(count + ((raw[2 * i] <= low) | (raw[2 * i] >= high) |            \
                                           (raw[2 * i + 1] <= low) | (raw[2 * i + 1] >= high)));   \
            total += count;                                                                        \
            raw += 2 * now;                                                                        \
            samples -= now;                                                                        \
        }                                                                                          \
        return total;                                                                              \
    }

DEFINE_COUNT(cu8, uint8_t, uint8_t, 128)
DEFINE_COUNT(cs8, int8_t, uint8_t, 128)
DEFINE_COUNT(cs16, int16_t, uint16_t, 32768)

static uint64_t count_cf32(const float *raw, size_t samples, float full_scale)
{
    uint64_t total = 0;
    for (size_t i = 0; i < samples; i++)
        total += (fabsf(raw[2 * i]) > full_scale) | (fabsf(raw[2 * i + 1]) > full_scale);
    return total;
}

uint64_t fft_iq_clipped(enum fft_iq_format format, double full_scale, const void *raw,
                        size_t samples)
{
    /* A stream that uses the whole format clips at its extreme codes, a narrower one at its own. */
    double low = formats[format].lowest, high = formats[format].highest;
    if (full_scale < formats[format].full_scale) {
        low = -(full_scale - 1);
        high = full_scale - 1;
    }

    switch (format) {
    case FFT_IQ_CU8:
        return count_cu8(raw, samples, (uint8_t)floor(low + 127.5), (uint8_t)ceil(high + 127.5));
    case FFT_IQ_CS8:
        return count_cs8(raw, samples, (int8_t)floor(low), (int8_t)ceil(high));
    case FFT_IQ_CS16:
        return count_cs16(raw, samples, (int16_t)floor(low), (int16_t)ceil(high));
    default:
        return count_cf32(raw, samples, (float)full_scale);
    }
}
