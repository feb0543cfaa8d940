/* iq.c - the raw sample formats: their table, and loops over samples that gcc vectorises. */
#include "fft/iq.h"

#include <errno.h>
#include <float.h>
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

/* Without their sign bits, floats are in the order of their values, infinity and NaN last. */
static int32_t magnitude(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x7fffffff;
}

/* Writes 0 over the invalid samples of a block. Returns the index of the first one. */
static size_t clear_invalid(float *raw, size_t samples, int32_t limit)
{
    size_t first = samples;
    for (size_t i = samples; i-- > 0;) {
        if (magnitude(raw[2 * i]) <= limit && magnitude(raw[2 * i + 1]) <= limit)
            continue;
        raw[2 * i] = raw[2 * i + 1] = 0;
        first = i;
    }
    return first;
}

static void check_block(float *raw, size_t samples, int32_t scale, int32_t limit,
                        struct fft_iq_levels *out, size_t at)
{
    int32_t clipped = 0, above = 0, invalid = 0; /* as wide as a component, for the vectors */
    for (size_t i = 0; i < samples; i++) {
        const int32_t re = magnitude(raw[2 * i]), im = magnitude(raw[2 * i + 1]);
        const int32_t larger = re > im ? re : im;
        clipped += larger == scale;
        above += larger > scale;
        invalid += larger > limit;
    }
    if (invalid > 0) {
        const size_t first = clear_invalid(raw, samples, limit);
        out->first_invalid = out->invalid ? out->first_invalid : at + first;
    }
    out->clipped += (uint32_t)clipped;
    out->beyond += (uint32_t)(above - invalid);
    out->invalid += (uint32_t)invalid;
}

static struct fft_iq_levels check_cf32(float *raw, size_t samples, double full_scale)
{
    enum { BLOCK = 4096 };
    const double largest = full_scale * FFT_IQ_LIMIT;
    const int32_t scale = magnitude((float)full_scale);
    const int32_t limit = magnitude(largest < FLT_MAX ? (float)largest : FLT_MAX);
    struct fft_iq_levels levels = {0};
    for (size_t at = 0; at < samples; at += BLOCK) {
        const size_t count = samples - at < BLOCK ? samples - at : BLOCK;
        check_block(raw + 2 * at, count, scale, limit, &levels, at);
    }
    return levels;
}

struct fft_iq_levels fft_iq_check(enum fft_iq_format format, double full_scale, void *raw,
                                  size_t samples)
{
    /* A stream that uses the whole format clips at its extreme codes, a narrower one at its own. */
    double low = formats[format].lowest, high = formats[format].highest;
    if (full_scale < formats[format].full_scale) {
        low = -(full_scale - 1);
        high = full_scale - 1;
    }
    struct fft_iq_levels levels = {0};
    if (format == FFT_IQ_CU8)
        levels.clipped =
            count_cu8(raw, samples, (uint8_t)floor(low + 127.5), (uint8_t)ceil(high + 127.5));
    else if (format == FFT_IQ_CS8)
        levels.clipped = count_cs8(raw, samples, (int8_t)floor(low), (int8_t)ceil(high));
    else if (format == FFT_IQ_CS16)
        levels.clipped = count_cs16(raw, samples, (int16_t)floor(low), (int16_t)ceil(high));
    else
        levels = check_cf32(raw, samples, full_scale);
    return levels;
}
