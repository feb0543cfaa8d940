/* statistics.c - percentiles of bins, and of noise. */
#include "daemon/measure/statistics.h"

#include <math.h>
#include <string.h>

/* Floats that are not negative have the order of their bits. */
static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

struct digits {
    uint32_t prefix, known; /* values that begin with the prefix count: its bits are `known` */
    int shift;
    uint32_t counts[2][DIGITS]; /* their sum counts */
};

static void add_digit(struct digits *d, unsigned table, float value, uint32_t sign)
{
    const uint32_t bits = bits_of(value);
    d->counts[table][bits >> d->shift & (DIGITS - 1)] += (bits & d->known) == d->prefix ? sign : 0;
}

/*
 * Adds `sign` to the count of each digit. Noise has few different digits, and an addition waits for
 * the one before it to the same count: two tables take turns. A branch would often be predicted
 * wrongly.
 */
static void count_digits(struct digits *d, const float *values, uint32_t count, uint32_t sign)
{
    for (uint32_t i = 0; i + 1 < count; i += 2) {
        add_digit(d, 0, values[i], sign);
        add_digit(d, 1, values[i + 1], sign);
    }
    if (count % 2)
        add_digit(d, 0, values[count - 1], sign);
}

static uint32_t sum_of(const struct line_bins *gap, uint32_t gaps)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < gaps; i++)
        sum += gap[i].last - gap[i].first + 1;
    return sum;
}

/* Selects the value by its bits, eleven at a time from the highest. */
float statistics_percentile_without(const float *values, uint32_t count,
                                    const struct line_bins *gap, uint32_t gaps, double percent)
{
    static const int shifts[] = {22, 11, 0};
    struct digits d = {.prefix = 0};
    const uint32_t left = count - sum_of(gap, gaps);
    if (left == 0)
        return statistics_percentile(values, count, percent);
    uint32_t rank = (uint32_t)(percent / 100 * (left - 1) + 0.5);
    for (int i = 0; i < 3; i++) {
        uint32_t digit = 0;
        d.shift = shifts[i];
        d.known = i > 0 ? ~0U << shifts[i - 1] : 0;
        memset(d.counts, 0, sizeof d.counts);
        count_digits(&d, values, count, 1);
        for (uint32_t g = 0; g < gaps; g++)
            count_digits(&d, values + gap[g].first, gap[g].last - gap[g].first + 1, -1U);
        for (; rank >= d.counts[0][digit] + d.counts[1][digit]; digit++)
            rank -= d.counts[0][digit] + d.counts[1][digit];
        d.prefix |= digit << shifts[i];
    }
    float value;
    memcpy(&value, &d.prefix, sizeof value);
    return value;
}

float statistics_percentile(const float *values, uint32_t count, double percent)
{
    return statistics_percentile_without(values, count, NULL, 0, percent);
}

enum { POINTS = 1024 };

/* rho^2 of two frames that are `lag` of n samples apart. */
static double correlation(const float *w, uint32_t n, double lag)
{
    const uint32_t shift = (uint32_t)(lag + 0.5);
    double product = 0, square = 0;
    for (uint32_t i = 0; i < n; i++) {
        square += (double)w[i] * (double)w[i];
        product += i + shift < n ? (double)w[i] * (double)w[i + shift] : 0;
    }
    return product * product / (square * square);
}

/* A window of 1024 points stands for longer ones; lags of less than one point are integrated. */
double statistics_effective_averages(const struct fft_window *window, uint32_t n, uint32_t hop,
                                     uint64_t frames)
{
    float w[POINTS];
    const uint32_t points = n < POINTS ? n : POINTS;
    const double hop_points = (double)hop * points / n, step = fmax(hop_points, 1);
    const double k = (double)frames;
    double sum = 0;
    fft_window_fill(window, w, points, 1, NULL);
    for (uint32_t i = 1; i * step < points; i++) {
        const double lag = i * step, frame = lag / hop_points;
        if (frame < k)
            sum += step / hop_points * (1 - frame / k) * correlation(w, points, lag);
    }
    return k / (1 + 2 * sum);
}

/* The regularised lower incomplete gamma function, by its series. */
static double gamma_below(double shape, double x)
{
    int sign;
    double term = 1, sum = 1;
    for (double i = 1; term > sum * 1e-12; i++) {
        term *= x / (shape + i);
        sum += term;
    }
    return sum * exp(shape * log(x) - x - lgamma_r(shape + 1, &sign));
}

/* The percentile of the normal distribution, by bisection. */
static double normal_percentile(double p)
{
    double low = -10, high = 10;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        *(0.5 * erfc(-middle / sqrt(2)) < p ? &low : &high) = middle;
    }
    return low;
}

double statistics_gamma_percentile(double shape, double percent)
{
    const double p = percent / 100;
    double low = 0, high = shape + 10 * sqrt(shape) + 40;
    if (shape > 500) /* E. B. Wilson, M. M. Hilferty, "The Distribution of Chi-Square", 1931 */
        return pow(1 - 1 / (9 * shape) + normal_percentile(p) / (3 * sqrt(shape)), 3);
    for (int i = 0; i < 50; i++) {
        const double middle = (low + high) / 2;
        *(gamma_below(shape, middle) < p ? &low : &high) = middle;
    }
    return low / shape;
}
