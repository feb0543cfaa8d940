/* iq.c - the raw sample formats: their table, values, and counts of samples at their limits. */
#include "fft/iq.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "fft/iq_loops.h"

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

extern const struct fft_iq_loops fft_iq_loops_base;

#ifdef __x86_64__
extern const struct fft_iq_loops fft_iq_loops_avx512, fft_iq_loops_avx2;

static const struct fft_iq_loops *loops(void)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
        return &fft_iq_loops_avx512;
    return __builtin_cpu_supports("avx2") ? &fft_iq_loops_avx2 : &fft_iq_loops_base;
}
#else
static const struct fft_iq_loops *loops(void)
{
    return &fft_iq_loops_base;
}
#endif

void fft_iq_unpack(enum fft_iq_format format, const void *raw, struct fft_iq *out, size_t samples)
{
    if (format == FFT_IQ_CF32)
        memcpy(out, raw, samples * sizeof *out);
    else
        loops()->unpack[format](raw, &out->re, 2 * samples);
}

/* ---- levels ----------------------------------------------------------------------------- */

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

static void check_block(float *raw, size_t samples, const int32_t limit[FFT_IQ_THRESHOLDS],
                        struct fft_iq_levels *out, size_t at)
{
    uint64_t count[FFT_IQ_THRESHOLDS] = {0}; /* at full scale or above, above, invalid */
    loops()->floats(raw, samples, limit, count);
    if (count[2] > 0) {
        const size_t first = clear_invalid(raw, samples, limit[2]);
        out->first_invalid = out->invalid ? out->first_invalid : at + first;
    }
    out->clipped += count[0] - count[1];
    out->beyond += count[1] - count[2];
    out->invalid += count[2];
}

static struct fft_iq_levels check_cf32(float *raw, size_t samples, double full_scale)
{
    enum { BLOCK = 4096 };
    const double largest = full_scale * FFT_IQ_LIMIT;
    const int32_t scale = magnitude((float)full_scale);
    const int32_t limit[FFT_IQ_THRESHOLDS] = {
        scale - 1, scale, magnitude(largest < FLT_MAX ? (float)largest : FLT_MAX)};
    struct fft_iq_levels levels = {0};
    for (size_t at = 0; at < samples; at += BLOCK) {
        const size_t count = samples - at < BLOCK ? samples - at : BLOCK;
        check_block(raw + 2 * at, count, limit, &levels, at);
    }
    return levels;
}

/* A stream that uses the whole format clips at its extreme codes, a narrower one at its own. */
uint64_t fft_iq_clipped(enum fft_iq_format format, double full_scale, const void *raw,
                        size_t samples)
{
    const double zero = format == FFT_IQ_CU8 ? 127.5 : 0;
    double low = formats[format].lowest, high = formats[format].highest;
    if (format == FFT_IQ_CF32)
        return 0;
    if (full_scale < formats[format].full_scale) {
        low = -(full_scale - 1);
        high = full_scale - 1;
    }
    const int lowest = (int)floor(low + zero), highest = (int)ceil(high + zero);
    if (highest <= lowest)
        return samples;
    const struct fft_iq_codes codes = {(uint16_t)(lowest + 1), (uint16_t)(highest - lowest - 1)};
    return format == FFT_IQ_CS16 ? loops()->codes16(raw, samples, codes)
                                 : loops()->codes8(raw, samples, codes);
}

struct fft_iq_levels fft_iq_check(enum fft_iq_format format, double full_scale, void *raw,
                                  size_t samples)
{
    if (format == FFT_IQ_CF32)
        return check_cf32(raw, samples, full_scale);
    return (struct fft_iq_levels){.clipped = fft_iq_clipped(format, full_scale, raw, samples)};
}
