/* iq_signals.c - noise, tones and modulations, and the ways to write them. */
#include "tests/support/source/iq_signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- random numbers: splitmix64 --------------------------------------------------------- */

static uint64_t next(struct iq_random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

double iq_uniform(struct iq_random *r)
{
    return (double)(next(r) >> 11) * 0x1p-53;
}

double iq_gauss(struct iq_random *r)
{
    const double u = 1 - iq_uniform(r), v = iq_uniform(r);
    return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* ---- scenes ----------------------------------------------------------------------------- */

static struct fft_iq polar(double amplitude, double cycles)
{
    return (struct fft_iq){.re = (float)(amplitude * cos(2 * M_PI * cycles)),
                           .im = (float)(amplitude * sin(2 * M_PI * cycles))};
}

static struct fft_iq add_noise(struct iq_random *r, struct fft_iq v, double deviation)
{
    v.re += (float)(deviation * iq_gauss(r));
    v.im += (float)(deviation * iq_gauss(r));
    return v;
}

static struct fft_iq noise(struct iq_random *r, unsigned k)
{
    (void)k;
    return add_noise(r, (struct fft_iq){0}, 0.7);
}

static struct fft_iq tone(struct iq_random *r, unsigned k)
{
    return add_noise(r, polar(1, 0.11803398875 * k), 0.003);
}

static struct fft_iq slow_tone(struct iq_random *r, unsigned k)
{
    return add_noise(r, polar(1, 0.0007 * k), 0.01);
}

static struct fft_iq clean_tone(struct iq_random *r, unsigned k)
{
    (void)r;
    return polar(1, 0.01953 * k);
}

static struct fft_iq tone_in_noise(struct iq_random *r, unsigned k)
{
    return add_noise(r, polar(1, -0.0371 * k), 0.3);
}

static struct fft_iq fm(struct iq_random *r, unsigned k)
{
    return add_noise(r, polar(1, 0.03 * k + 12 * sin(k * 0.0021) + 3 * sin(k * 0.017)), 0.02);
}

/* 100 % AM with a carrier off the centre. */
static struct fft_iq am(struct iq_random *r, unsigned k)
{
    return add_noise(r, polar(0.5 + 0.5 * sin(k * 0.003), 0.2 * k), 0.01);
}

static struct fft_iq bursts(struct iq_random *r, unsigned k)
{
    return add_noise(r, k % 4000 < 300 ? polar(1, 0.07 * k) : (struct fft_iq){0}, 0.02);
}

/* On-off keying without any noise. */
static struct fft_iq gated(struct iq_random *r, unsigned k)
{
    (void)r;
    return k / 200 % 3 == 0 ? polar(1, 0.05 * k) : (struct fft_iq){0};
}

/* Rectangular symbols on the diagonals, without a frequency offset. */
static struct fft_iq qpsk(struct iq_random *r, unsigned k)
{
    (void)k;
    const uint64_t bits = next(r);
    return add_noise(
        r, (struct fft_iq){.re = bits & 1 ? 0.7F : -0.7F, .im = bits & 2 ? 0.7F : -0.7F}, 0.02);
}

static struct fft_iq qpsk_with_offset(struct iq_random *r, unsigned k)
{
    const double quarter = 0.25 * (double)((k / 8 * 2654435761U) >> 30);
    return add_noise(r, polar(1, quarter + 0.0013 * k), 0.1);
}

static struct fft_iq ofdm(struct iq_random *r, unsigned k)
{
    struct fft_iq v = {0};
    for (int carrier = -6; carrier <= 6; carrier++) {
        const struct fft_iq one = polar(0.1, 0.02 * carrier * k + carrier * carrier * 0.31);
        v.re += one.re;
        v.im += one.im;
    }
    return add_noise(r, v, 0.05);
}

/* The spike of a zero-IF radio, in noise. */
static struct fft_iq offset_noise(struct iq_random *r, unsigned k)
{
    (void)k;
    return add_noise(r, (struct fft_iq){.re = 0.03F, .im = -0.02F}, 0.3);
}

static struct fft_iq carrier_at_zero(struct iq_random *r, unsigned k)
{
    (void)k;
    return add_noise(r, (struct fft_iq){.re = 0.8F, .im = 0.1F}, 0.01);
}

static struct fft_iq real_only(struct iq_random *r, unsigned k)
{
    return (struct fft_iq){.re = (float)(sin(k * 0.05) + 0.1 * iq_gauss(r))};
}

/* Narrow-band noise: samples follow each other slowly. */
static struct fft_iq slow_noise(struct iq_random *r, unsigned k)
{
    static struct fft_iq v;
    if (k == 0)
        v = (struct fft_iq){0};
    v.re = (float)(0.97 * (double)v.re);
    v.im = (float)(0.97 * (double)v.im);
    v = add_noise(r, v, 0.17);
    return v;
}

const struct iq_scene iq_scenes[] = {
    {"noise", noise},
    {"a tone", tone},
    {"a slow tone", slow_tone},
    {"a tone without noise", clean_tone},
    {"a tone in noise", tone_in_noise},
    {"FM", fm},
    {"AM", am},
    {"bursts", bursts},
    {"on-off keying without noise", gated},
    {"rectangular QPSK", qpsk},
    {"QPSK with an offset", qpsk_with_offset},
    {"OFDM", ofdm},
    {"noise with an offset", offset_noise},
    {"a carrier at the centre", carrier_at_zero},
    {"a real signal", real_only},
    {"narrow noise", slow_noise},
    {NULL, NULL},
};

/* ---- encodings -------------------------------------------------------------------------- */

static double clamp(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v;
}

static size_t put_little(uint8_t *into, uint64_t bits, size_t size)
{
    for (size_t i = 0; i < size; i++)
        into[i] = (uint8_t)(bits >> 8 * i);
    return size;
}

static size_t put_big(uint8_t *into, uint64_t bits, size_t size)
{
    for (size_t i = 0; i < size; i++)
        into[i] = (uint8_t)(bits >> 8 * (size - 1 - i));
    return size;
}

static uint64_t bits_of_float(double v)
{
    const float single = (float)v;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

static uint64_t scaled(double v, double scale)
{
    return (uint64_t)(int64_t)clamp(floor(v * scale + 0.5), -scale, scale - 1);
}

static double as_cu8(double v)
{
    return clamp(floor(v * 127.5 + 127.5 + 0.5), 0, 255);
}

static size_t put_cu8(uint8_t *into, double v)
{
    return put_little(into, (uint64_t)as_cu8(v), 1);
}

static size_t put_cs8(uint8_t *into, double v)
{
    return put_little(into, scaled(v, 128), 1);
}

static size_t put_cs16(uint8_t *into, double v)
{
    return put_little(into, scaled(v, 32768), 2);
}

static size_t put_12_low(uint8_t *into, double v)
{
    return put_little(into, scaled(v, 2048), 2);
}

static size_t put_12_high(uint8_t *into, double v)
{
    return put_little(into, scaled(v, 2048) * 16, 2);
}

static size_t put_14_high(uint8_t *into, double v)
{
    return put_little(into, scaled(v, 8192) * 4, 2);
}

static size_t put_8_high(uint8_t *into, double v)
{
    return put_little(into, scaled(v, 128) * 256, 2);
}

static size_t put_scaled_cu8(uint8_t *into, double v)
{
    return put_little(into, (uint64_t)(int64_t)((as_cu8(v) - 127.4) / 128 * 32767), 2);
}

static size_t put_cf32(uint8_t *into, double v)
{
    return put_little(into, bits_of_float(v), 4);
}

static size_t put_float_of_cu8(uint8_t *into, double v)
{
    return put_little(into, bits_of_float((as_cu8(v) - 127.4) / 128), 4);
}

static size_t put_float_of_cs8(uint8_t *into, double v)
{
    return put_little(into, bits_of_float(clamp(floor(v * 128), -128, 127) / 128), 4);
}

static size_t put_float_of_cs16(uint8_t *into, double v)
{
    return put_little(into, bits_of_float(clamp(floor(v * 32768), -32768, 32767) / 32768), 4);
}

static size_t put_large_float(uint8_t *into, double v)
{
    return put_little(into, bits_of_float(v * 32768), 4);
}

static size_t put_cs16_big(uint8_t *into, double v)
{
    return put_big(into, scaled(v, 32768), 2);
}

static size_t put_12_low_big(uint8_t *into, double v)
{
    return put_big(into, scaled(v, 2048), 2);
}

static size_t put_cf32_big(uint8_t *into, double v)
{
    return put_big(into, bits_of_float(v), 4);
}

static size_t put_cu16(uint8_t *into, double v)
{
    return put_little(into, (uint64_t)clamp(v * 32768 + 32768, 0, 65535), 2);
}

static size_t put_cs24(uint8_t *into, double v)
{
    return put_little(into, scaled(v, 8388608), 3);
}

static size_t put_cs32(uint8_t *into, double v)
{
    return put_little(into, scaled(v, 2147483648.0), 4);
}

static size_t put_cf64(uint8_t *into, double v)
{
    memcpy(into, &v, sizeof v);
    return sizeof v;
}

const struct iq_encoding iq_encodings[] = {
    {"cu8", FFT_IQ_CU8, put_cu8, 0},
    {"cs8", FFT_IQ_CS8, put_cs8, 0},
    {"cs16", FFT_IQ_CS16, put_cs16, 0},
    {"cs16, 12 bits", FFT_IQ_CS16, put_12_low, 0},
    {"cs16, 12 bits at the top", FFT_IQ_CS16, put_12_high, 0},
    {"cs16, 14 bits at the top", FFT_IQ_CS16, put_14_high, 0},
    {"cs16, 8 bits at the top", FFT_IQ_CS16, put_8_high, 0},
    {"cs16 of a cu8 radio", FFT_IQ_CS16, put_scaled_cu8, 0},
    {"cf32", FFT_IQ_CF32, put_cf32, 0},
    {"cf32 of a cu8 radio", FFT_IQ_CF32, put_float_of_cu8, 0},
    {"cf32 of a cs8 radio", FFT_IQ_CF32, put_float_of_cs8, 0},
    {"cf32 of a cs16 radio", FFT_IQ_CF32, put_float_of_cs16, 0},
    {"cf32 to 32768", FFT_IQ_CF32, put_large_float, 0},
    {"big-endian cs16", FFT_IQ_FORMATS, put_cs16_big, 0},
    {"big-endian cs16, 12 bits", FFT_IQ_FORMATS, put_12_low_big, 0},
    {"big-endian cf32", FFT_IQ_FORMATS, put_cf32_big, 0},
    {"cs16 without its first byte", FFT_IQ_FORMATS, put_cs16, 1},
    {"cs16, 12 bits, without its first byte", FFT_IQ_FORMATS, put_12_low, 1},
    {"cf32 without its first byte", FFT_IQ_FORMATS, put_cf32, 1},
    {"cf32 without its first 2 bytes", FFT_IQ_FORMATS, put_cf32, 2},
    {"cf32 without its first 3 bytes", FFT_IQ_FORMATS, put_cf32, 3},
    {"cu16", FFT_IQ_FORMATS, put_cu16, 0},
    {"cs24", FFT_IQ_FORMATS, put_cs24, 0},
    {"cs32", FFT_IQ_FORMATS, put_cs32, 0},
    {"cf64", FFT_IQ_FORMATS, put_cf64, 0},
    {NULL, FFT_IQ_FORMATS, NULL, 0},
};

void render_scene(const struct iq_scene *scene, unsigned seed, struct fft_iq out[SCENE_SAMPLES])
{
    struct iq_random r = {seed};
    for (unsigned k = 0; k < SCENE_SAMPLES; k++)
        out[k] = scene->sample(&r, k);
}

struct block encode_samples(const struct iq_encoding *e, const struct fft_iq in[SCENE_SAMPLES],
                            double level_db)
{
    const double amplitude = pow(10, level_db / 20);
    struct block b = {.at = malloc((size_t)SCENE_SAMPLES * 16)};
    if (!b.at)
        abort();
    for (unsigned k = 0; k < SCENE_SAMPLES; k++) {
        b.size += e->put(b.at + b.size, amplitude * (double)in[k].re);
        b.size += e->put(b.at + b.size, amplitude * (double)in[k].im);
    }
    b.size -= 8; /* whole samples remain after an offset */
    memmove(b.at, b.at + e->offset, b.size);
    return b;
}
