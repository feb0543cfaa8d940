/* modulation.c - mean, peaks and frequency of a demodulated signal. */
#include "daemon/measure/modulation.h"

#include <math.h>
#include <stdbool.h>

static void find_levels(const float *x, size_t count, struct modulation *m)
{
    double sum = 0, square = 0;
    float least = x[0], most = x[0];
    for (size_t i = 0; i < count; i++) {
        const double from_first = (double)x[i] - (double)x[0]; /* keeps digits of the variance */
        sum += from_first;
        square += from_first * from_first;
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
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
    size_t rises = 0;
    bool armed = false;
    for (size_t i = 1; i < count; i++) {
        const double before = (double)x[i - 1], here = (double)x[i];
        armed = armed || before < low;
        if (!armed || before >= middle || here < middle)
            continue;
        last = (double)(i - 1) + (middle - before) / (here - before);
        first = rises == 0 ? last : first;
        rises++;
        armed = false;
    }
    return rises > 1 ? (double)(rises - 1) / (last - first) : NAN;
}

struct modulation modulation_of(const float *x, size_t count, double rate_hz)
{
    struct modulation m = {0};
    find_levels(x, count, &m);
    const double middle = (m.least + m.most) / 2, tenth = (m.most - m.least) / 10;
    m.frequency_hz = frequency_of(x, count, middle, middle - tenth) * rate_hz;
    return m;
}
