/* peak_meter.c - the largest I or Q of recent samples. */
#include "daemon/dsp/peak_meter.h"

#include <math.h>

enum { PERIODS = 50 }; /* in an interval */
static const double period_seconds = 0.01, full_rate_hz = 4e6;

/* ---- the largest component -------------------------------------------------------------- */

static double peak_cu8(const uint8_t *raw, size_t count)
{
    uint8_t lowest = 255, highest = 0;
    for (size_t i = 0; i < count; i++) {
        if (raw[i] < lowest)
            lowest = raw[i];
        if (raw[i] > highest)
            highest = raw[i];
    }
    return fmax(127.5 - lowest, highest - 127.5) / 127.5;
}

static double peak_cs8(const int8_t *raw, size_t count)
{
    int8_t lowest = 0, highest = 0;
    for (size_t i = 0; i < count; i++) {
        if (raw[i] < lowest)
            lowest = raw[i];
        if (raw[i] > highest)
            highest = raw[i];
    }
    return fmax(-(double)lowest, highest) / 128;
}

static double peak_cs16(const int16_t *raw, size_t count)
{
    int16_t lowest = 0, highest = 0;
    for (size_t i = 0; i < count; i++) {
        if (raw[i] < lowest)
            lowest = raw[i];
        if (raw[i] > highest)
            highest = raw[i];
    }
    return fmax(-(double)lowest, highest) / 32768;
}

static double peak_cf32(const float *raw, size_t count)
{
    float highest = 0;
    for (size_t i = 0; i < count; i++) {
        const float size = fabsf(raw[i]);
        highest = size > highest ? size : highest;
    }
    return highest;
}

static double peak_of(enum fft_iq_format format, const void *raw, size_t components)
{
    switch (format) {
    case FFT_IQ_CU8:
        return peak_cu8(raw, components);
    case FFT_IQ_CS8:
        return peak_cs8(raw, components);
    case FFT_IQ_CS16:
        return peak_cs16(raw, components);
    default:
        return peak_cf32(raw, components);
    }
}

/* ---- intervals -------------------------------------------------------------------------- */

void peak_meter_restart(struct peak_meter *m, enum fft_iq_format format, double rate_hz)
{
    const double period = fmax(rate_hz * period_seconds, 1);
    *m = (struct peak_meter){
        .format = format, .period = (uint64_t)period, .newest = -1, .previous = -1};
    m->length = (uint64_t)fmin(ceil(period), full_rate_hz * period_seconds);
}

static void enter_interval(struct peak_meter *m, uint64_t interval)
{
    if (interval == m->interval)
        return;
    m->previous = interval == m->interval + 1 ? m->newest : -1;
    m->newest = -1;
    m->interval = interval;
}

void peak_meter_read(struct peak_meter *m, const void *raw, uint64_t position, uint64_t samples)
{
    const char *at = raw;
    while (samples > 0) {
        const uint64_t offset = position % m->period, left = m->period - offset;
        const uint64_t piece = left < samples ? left : samples;
        enter_interval(m, position / m->period / PERIODS);
        if (offset < m->length) {
            const uint64_t wanted = m->length - offset < piece ? m->length - offset : piece;
            m->newest = fmax(m->newest, peak_of(m->format, at, 2 * (size_t)wanted));
        }
        at += piece * fft_iq_bytes(m->format);
        position += piece;
        samples -= piece;
    }
}

double peak_meter_headroom_db(const struct peak_meter *m, double stream_scale)
{
    const double peak = fmax(m->newest, m->previous);
    return peak < 0 ? NAN : -20 * log10(peak / stream_scale);
}
