/* modulation.c - mean, peaks and frequency of a demodulated signal. */
#include "daemon/measure/types/modulation.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { LANES = 8 }; /* that do not wait for each other */

struct levels {
    double sum[LANES], square[LANES]; /* of the distances from the first value: keeps digits */
    float least[LANES], most[LANES];
};

static void add_levels(struct levels *l, const float *x, float first)
{
    for (size_t j = 0; j < LANES; j++) {
        const double from_first = (double)x[j] - (double)first;
        l->sum[j] += from_first;
        l->square[j] += from_first * from_first;
        l->least[j] = x[j] < l->least[j] ? x[j] : l->least[j];
        l->most[j] = x[j] > l->most[j] ? x[j] : l->most[j];
    }
}

static void find_levels(const float *x, size_t count, struct modulation *m)
{
    struct levels l = {.sum = {0}};
    double sum = 0, square = 0;
    float rest[LANES], least = x[0], most = x[0];
    size_t i = 0;

    for (size_t j = 0; j < LANES; j++)
        rest[j] = l.least[j] = l.most[j] = x[0];
    for (; i + LANES <= count; i += LANES)
        add_levels(&l, x + i, x[0]);
    memcpy(rest, x + i, (count - i) * sizeof *rest);
    add_levels(&l, rest, x[0]);
    for (size_t j = 0; j < LANES; j++) {
        sum += l.sum[j];
        square += l.square[j];
        least = fminf(least, l.least[j]);
        most = fmaxf(most, l.most[j]);
    }
    const double mean = sum / (double)count;
    m->mean = (double)x[0] + mean;
    m->rms = sqrt(fmax(0, square / (double)count - mean * mean));
    m->least = (double)least;
    m->most = (double)most;
}

static double frequency_of(const float *x, size_t count, double middle, double low)
{
    double first = 0, last = 0;
    size_t rises = 0, i = 0;
    for (;;) {
        while (i < count && !((double)x[i] < low))
            i++;
        while (i < count && (double)x[i] < middle)
            i++;
        if (i == count)
            break;
        const double before = (double)x[i - 1], here = (double)x[i];
        last = (double)(i - 1) + (middle - before) / (here - before);
        first = rises == 0 ? last : first;
        rises++;
    }
    return rises > 1 ? (double)(rises - 1) / (last - first) : NAN;
}

/* Whether x is like itself `lag` values later: their correlation, 1 for a periodic signal. */
static bool repeats(const float *x, size_t count, double mean, double lag)
{
    const size_t shift = (size_t)llround(lag);
    double product = 0, before = 0, after = 0;
    if (shift >= count)
        return false;
    for (size_t i = 0; i + shift < count; i++) {
        const double a = (double)x[i] - mean, b = (double)x[i + shift] - mean;
        product += a * b;
        before += a * a;
        after += b * b;
    }
    return product > 0.5 * sqrt(before * after);
}

struct modulation modulation_of(const float *x, size_t count, double rate_hz, double rounding)
{
    struct modulation m = {.frequency_hz = NAN};
    find_levels(x, count, &m);
    const double middle = (m.least + m.most) / 2, tenth = (m.most - m.least) / 10;
    if (!(m.most - m.least > rounding))
        return m;
    const double cycles = frequency_of(x, count, middle, middle - tenth);
    if (isfinite(cycles) && repeats(x, count, m.mean, 1 / cycles))
        m.frequency_hz = cycles * rate_hz;
    return m;
}
