/* statistics.c - averages of overlapped frames, and percentiles of noise. */
#include "daemon/line/statistics.h"

#include <math.h>

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
