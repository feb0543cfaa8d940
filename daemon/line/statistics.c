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

/*
 * The continued fraction of the regularised incomplete beta function, by the method of W. J. Lentz,
 * "Generating Bessel functions in Mie scattering calculations using continued fractions", 1976; it
 * converges fast for x < (a + 1) / (a + b + 2).
 */
static double beta_fraction(double x, double a, double b)
{
    const double least = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1), result;
    d = 1 / (fabs(d) < least ? least : d);
    result = d;
    for (int m = 1; m < 2000; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        const double before = result;
        for (int i = 0; i < 2; i++) {
            const double term = i == 0 ? even : odd;
            d = 1 + term * d;
            d = 1 / (fabs(d) < least ? least : d);
            c = 1 + term / c;
            c = fabs(c) < least ? least : c;
            result *= d * c;
        }
        if (fabs(result - before) < 1e-10 * fabs(result))
            break;
    }
    return result;
}

/* The regularised incomplete beta function I_x(a, b). */
static double beta_below(double x, double a, double b)
{
    int sign;
    const double front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) +
                             a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(x, a, b) / a;
    return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double statistics_f_above(double x, double shape, double shape_below)
{
    const double a = fmin(shape, 1e4), b = fmin(shape_below, 1e4);
    return beta_below(b / (b + a * x), b, a);
}
