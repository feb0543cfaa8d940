/* scene.c - renders the block of a scene. The header documents levels and frequencies. */
#include "daemon/source/sim/scene.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "daemon/source/sim/turn.h"

enum { CHUNK = 1024, PERIOD_MIN = 1 << 16, PERIOD_MAX = 1 << 21 };

struct render {
    uint32_t period;
    uint64_t random; /* state of the noise */
    double re[CHUNK], im[CHUNK];
};

static double amplitude(double dbfs)
{
    return pow(10, dbfs / 20);
}

static inline void add(struct render *r, uint32_t i, double level, struct point p)
{
    r->re[i] += level * p.re;
    r->im[i] += level * p.im;
}

/* Phase of sample i in cycles, at k cycles per block. Exact: integers drop the whole cycles. */
static double cycles_at(const struct render *r, uint64_t k, uint32_t i)
{
    return (double)(k * i & (r->period - 1)) / r->period;
}

/* Cycles per block; a negative frequency -k is period - k. */
static uint64_t cycles_of(const struct render *r, double fraction)
{
    return (uint64_t)llround(fraction * r->period) & (r->period - 1);
}

static void add_tone(struct render *r, uint32_t first, double fraction, double dbfs)
{
    const uint64_t k = cycles_of(r, fraction);
    turn_add_tone(r->re, r->im, CHUNK, amplitude(dbfs), cycles_at(r, k, first), cycles_at(r, k, 1));
}

/* splitmix64 (Steele, Lea, Flood 2014): mixes a counter. */
static uint64_t next_random(struct render *r)
{
    uint64_t z = r->random += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

/* Complex Gaussian (Box-Muller): |x|^2 is exponential with the mean `power`, the phase uniform. */
static void add_noise(struct render *r, double dbfs)
{
    const double power = pow(10, dbfs / 10);
    double level[CHUNK], cycles[CHUNK];
    for (uint32_t i = 0; i < CHUNK; i++) {
        const double u = ((double)(next_random(r) >> 11) + 0.5) * 0x1p-53;
        cycles[i] = (double)(next_random(r) >> 11) * 0x1p-53;
        level[i] = sqrt(-power * log(u));
    }
    for (uint32_t i = 0; i < CHUNK; i++)
        add(r, i, level[i], turn(cycles[i]));
}

/* The integral of a sine of frequency f is its cosine / (2 pi f). */
static void add_fm(struct render *r, uint32_t first)
{
    const struct sound {
        double cycles, deviation;
    } low = {round(r->period / 2400.0), 0.02}, high = {round(r->period / 700.0), 0.008};
    const double low_swing = low.deviation * r->period / low.cycles / (2 * M_PI);
    const double high_swing = high.deviation * r->period / high.cycles / (2 * M_PI);
    const double carrier = -0.25, level = amplitude(-25);
    for (uint32_t i = 0; i < CHUNK; i++) {
        const int32_t at = (int32_t)(first + i);
        const double part = (double)at / r->period;
        const double swing =
            low_swing * turn(low.cycles * part).re + high_swing * turn(high.cycles * part).re;
        add(r, i, level, turn(carrier * at - swing));
    }
}

static void add_bursts(struct render *r, uint32_t first)
{
    const uint32_t every = r->period / 8, delay = r->period / 16, length = r->period / 128,
                   edge = r->period / 4096;
    const uint64_t k = cycles_of(r, 5.0 / 16);
    const double level = amplitude(-30);
    for (uint32_t i = 0; i < CHUNK; i++) {
        const uint32_t at = (first + i + every - delay) % every;
        if (at >= length)
            continue;
        const uint32_t inside = at < length - 1 - at ? at : length - 1 - at;
        const double rise = inside < edge ? 0.5 - 0.5 * cos(M_PI * (inside + 0.5) / edge) : 1;
        add(r, i, rise * level, turn(cycles_at(r, k, first + i)));
    }
}

static void add_hopper(struct render *r, uint32_t first)
{
    static const uint8_t channels[16] = {5, 2, 7, 0, 3, 6, 1, 4, 0, 4, 1, 5, 2, 6, 3, 7};
    const uint32_t dwell = r->period / 16; /* a multiple of CHUNK: no hop inside a chunk */
    const int channel = channels[first / dwell];
    add_tone(r, first, -(1 + channel) / 64.0, -15);
}

static void add_chirp(struct render *r, uint32_t first)
{
    const uint32_t sweep = r->period / 4, since = first % sweep; /* a multiple of CHUNK, as above */
    const double from = 3.0 / 8, to = 15.0 / 32, level = amplitude(-35);
    const double bend = (to - from) / (2.0 * sweep);
    for (uint32_t i = 0; i < CHUNK; i++) {
        const double x = (int32_t)(since + i);
        add(r, i, level, turn(from * x + bend * x * x));
    }
}

static void draw(struct render *r, const struct sim_scene *scene, double rate_hz, uint32_t first)
{
    const double level = scene->level_dbfs;
    memset(r->re, 0, sizeof r->re);
    memset(r->im, 0, sizeof r->im);
    switch (scene->kind) {
    case SIM_SHOW:
        add_noise(r, -50);
        add_tone(r, first, 1.0 / 8, -20);
        add_fm(r, first);
        add_bursts(r, first);
        add_hopper(r, first);
        add_chirp(r, first);
        break;
    case SIM_TONE:
        add_tone(r, first, isnan(scene->offset_hz) ? 0.125 : scene->offset_hz / rate_hz,
                 isnan(level) ? 0 : level);
        if (!isnan(scene->noise_dbfs))
            add_noise(r, scene->noise_dbfs);
        break;
    case SIM_NOISE:
        add_noise(r, isnan(level) ? -20 : level);
        break;
    case SIM_SILENCE:
    case SIM_COUNTER:
    case SIM_WORLD:
    case SIM_CHANNELS:
    case SIM_SENSOR:
    case SIM_SQUITTER:
    case SIM_NFM:
    case SIM_AM:
    case SIM_SSB:
    case SIM_AX25:
    case SIM_KINDS:
        break;
    }
}

static double or_zero(double value)
{
    return isnan(value) ? 0 : value;
}

/* Adds the errors of the receiver. */
static void impair(struct render *r, const struct sim_scene *scene)
{
    const double gain = amplitude(or_zero(scene->gain_error_db));
    const double phase = or_zero(scene->phase_error_degrees) * M_PI / 180;
    const double dc = isnan(scene->dc_dbfs) ? 0 : amplitude(scene->dc_dbfs);
    for (uint32_t i = 0; i < CHUNK; i++) {
        const double re = r->re[i];
        r->re[i] = re + dc * cos(M_PI / 6);
        r->im[i] = gain * (r->im[i] * cos(phase) + re * sin(phase)) + dc * sin(M_PI / 6);
    }
}

static inline double within(double value, double low, double high)
{
    const double above = value > low ? value : low;
    return above < high ? above : high;
}

/* Rounds `value` of full scale 1 to the codes of a signed integer of this size. */
static inline int code(double value, double zero, double scale, double low, double high)
{
    return (int)turn_round(within(value * scale + zero, low, high));
}

#define WRITE(type, value_of)                                                                      \
    for (uint32_t i = 0; i < count; i++) {                                                         \
        const double value[2] = {re[i], im[i]};                                                    \
        for (unsigned k = 0; k < 2; k++)                                                           \
            ((type *)into)[2 * i + k] = (type)(value_of);                                          \
    }

void sim_write(enum fft_iq_format format, const double *re, const double *im, uint32_t count,
               void *into)
{
    switch (format) {
    case FFT_IQ_CU8:
        WRITE(uint8_t, code(value[k], 127.5, 127.5, 0, 255))
        break;
    case FFT_IQ_CS8:
        WRITE(int8_t, code(value[k], 0, 128, -128, 127))
        break;
    case FFT_IQ_CS16:
        WRITE(int16_t, code(value[k], 0, 32768, -32768, 32767))
        break;
    case FFT_IQ_CF32:
    case FFT_IQ_FORMATS:
        WRITE(float, value[k])
        break;
    }
}

uint32_t sim_period(double rate_hz)
{
    uint32_t period = PERIOD_MIN;
    while (period < PERIOD_MAX && 2.0 * period <= rate_hz)
        period *= 2;
    return period;
}

void sim_render(const struct sim_scene *scene, double rate_hz, enum fft_iq_format format,
                void *into)
{
    struct render r = {.period = sim_period(rate_hz), .random = scene->seed};
    for (uint32_t first = 0; first < r.period; first += CHUNK) {
        draw(&r, scene, rate_hz, first);
        impair(&r, scene);
        sim_write(format, r.re, r.im, CHUNK, (char *)into + first * fft_iq_bytes(format));
    }
}

void sim_count(uint64_t first, uint32_t count, void *into)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = (uint32_t)(first + i);
        memcpy((char *)into + 4 * (size_t)i, &number, sizeof number);
    }
}
