/* window.c - the table of analysis windows, their values, sums and names. */
#include "fft/window.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/bessel.h"

enum { COSINES = 5 };

static double kaiser(double x, double beta);
static double gauss(double x, double alpha);

/* A window is a sum of cosines, or a shape over x = -1 .. 1 with one parameter. */
static const struct entry {
    const char *name;
    double cosine[COSINES]; /* w = sum over j of (-1)^j cosine[j] cos(2 pi j i / n) */
    double (*shape)(double x, double parameter);
    double usual, lowest, highest; /* of the parameter */
} windows[FFT_WINDOW_KINDS] = {
    [FFT_WINDOW_RECT] = {.name = "rect", .cosine = {1}},
    [FFT_WINDOW_HANN] = {.name = "hann", .cosine = {0.5, 0.5}},
    [FFT_WINDOW_HAMMING] = {.name = "hamming", .cosine = {0.54, 0.46}},
    [FFT_WINDOW_BLACKMAN] = {.name = "blackman", .cosine = {0.42, 0.5, 0.08}},
    [FFT_WINDOW_BLACKMAN_HARRIS] = {.name = "blackman-harris",
                                    .cosine = {0.35875, 0.48829, 0.14128, 0.01168}},
    [FFT_WINDOW_NUTTALL] = {.name = "nuttall",
                            .cosine = {0.3635819, 0.4891775, 0.1365995, 0.0106411}},
    [FFT_WINDOW_FLATTOP] = {.name = "flat-top",
                            .cosine = {0.21557895, 0.41663158, 0.277263158, 0.083578947,
                                       0.006947368}},
    [FFT_WINDOW_KAISER] = {"kaiser", {0}, kaiser, 8.6, 0, 50},
    [FFT_WINDOW_GAUSS] = {"gauss", {0}, gauss, 2.5, 0.1, 20},
};

static double kaiser(double x, double beta)
{
    return fft_bessel_i0(beta * sqrt(1 - x * x));
}

static double gauss(double x, double alpha)
{
    return exp(-0.5 * alpha * alpha * x * x);
}

/* Clenshaw's recurrence: all the cosines of an angle from the first one. */
static double cosine_sum(const double *a, double cos_angle)
{
    const double c = -cos_angle; /* the alternating signs turn the angle by half a circle */
    double b1 = 0, b2 = 0;
    for (int j = COSINES - 1; j > 0; j--) {
        const double b0 = a[j] + 2 * c * b1 - b2;
        b2 = b1;
        b1 = b0;
    }
    return a[0] + c * b1 - b2;
}

/* Sample i of n, not scaled; half_cos is cos(pi i / n). */
static double value(const struct fft_window *w, uint32_t i, uint32_t n, double half_cos)
{
    const struct entry *entry = &windows[w->kind];
    if (entry->shape)
        return entry->shape(2.0 * i / n - 1, w->parameter);
    return cosine_sum(entry->cosine, 2 * half_cos * half_cos - 1);
}

struct sums {
    double s1, s2;           /* of w and w^2 */
    double half_re, half_im; /* of w times a tone half a bin away */
};

static struct sums sum_up(const struct fft_window *window, uint32_t n)
{
    struct sums t = {0};
    for (uint32_t i = 0; i < n; i++) {
        double sine, cosine;
        sincos(M_PI * i / n, &sine, &cosine);
        const double w = value(window, i, n, cosine);
        t.s1 += w;
        t.s2 += w * w;
        t.half_re += w * cosine;
        t.half_im += w * sine;
    }
    return t;
}

void fft_window_fill(const struct fft_window *window, float *w, uint32_t n, double gain,
                     struct fft_window_figures *figures)
{
    const struct sums t = sum_up(window, n);

    for (uint32_t i = 0; i < n; i++)
        w[i] = (float)(value(window, i, n, cos(M_PI * i / n)) * gain / t.s1);
    if (!figures)
        return;
    /* A Kaiser window is defined with a peak of 1; its shape above is not divided by I0(beta). */
    const double peak = value(window, n / 2, n, 0);
    figures->coherent_gain = t.s1 / n / (windows[window->kind].shape ? peak : 1);
    figures->enbw_bins = n * t.s2 / (t.s1 * t.s1);
    figures->scalloping_db = -20 * log10(hypot(t.half_re, t.half_im) / t.s1);
}

enum { SHAPE_N = 1024 };

/* The magnitude of the transform of w[SHAPE_N], x bins beside the centre. */
static double magnitude_off_centre(const double *w, double x)
{
    double re = 0, im = 0;
    for (uint32_t i = 0; i < SHAPE_N; i++) {
        const double angle = 2 * M_PI * x * i / SHAPE_N;
        re += w[i] * cos(angle);
        im += w[i] * sin(angle);
    }
    return hypot(re, im);
}

double fft_window_width_bins(const struct fft_window *window, double drop_db)
{
    double w[SHAPE_N];
    for (uint32_t i = 0; i < SHAPE_N; i++)
        w[i] = value(window, i, SHAPE_N, cos(M_PI * i / SHAPE_N));
    const double edge = magnitude_off_centre(w, 0) * pow(10, -drop_db / 20), step = 0.125;
    double high = step;
    while (magnitude_off_centre(w, high) > edge)
        high += step;
    double low = high - step;
    for (int i = 0; i < 40; i++) {
        const double middle = (low + high) / 2;
        *(magnitude_off_centre(w, middle) > edge ? &low : &high) = middle;
    }
    return 2 * low;
}

double fft_window_enbw_bins(const struct fft_window *window)
{
    const struct sums t = sum_up(window, SHAPE_N);
    return SHAPE_N * t.s2 / (t.s1 * t.s1);
}

static int lower(char c)
{
    return tolower((unsigned char)c);
}

/* Letter case and hyphens do not matter: "flattop" is "flat-top". */
static bool same_name(const char *text, size_t length, const char *name)
{
    size_t i = 0;
    for (;; i++, name++) {
        while (i < length && text[i] == '-')
            i++;
        while (*name == '-')
            name++;
        if (i == length || !*name)
            return i == length && !*name;
        if (lower(text[i]) != *name)
            return false;
    }
}

/* "", ":8.6" or "(8.6)". */
static int parse_parameter(const char *text, const struct entry *entry, double *out)
{
    *out = entry->usual;
    if (!*text)
        return 0;

    char *end;
    const double number = strtod(text + 1, &end);
    if (!entry->shape || end == text + 1 || strcmp(end, *text == '(' ? ")" : "") != 0)
        return -EINVAL;
    if (!(number >= entry->lowest && number <= entry->highest))
        return -EINVAL;
    *out = number;
    return 0;
}

int fft_window_parse(const char *text, struct fft_window *out)
{
    const size_t length = strcspn(text, ":(");

    for (unsigned kind = 0; kind < FFT_WINDOW_KINDS; kind++) {
        if (!same_name(text, length, windows[kind].name))
            continue;
        double parameter;
        if (parse_parameter(text + length, &windows[kind], &parameter) < 0)
            return -EINVAL;
        *out = (struct fft_window){(enum fft_window_kind)kind, parameter};
        return 0;
    }
    return -EINVAL;
}

const char *fft_window_format(const struct fft_window *w, char *into, uint32_t size)
{
    if (windows[w->kind].shape)
        snprintf(into, size, "%s(%.10g)", windows[w->kind].name, w->parameter);
    else
        snprintf(into, size, "%s", windows[w->kind].name);
    return into;
}

const char *fft_window_name(enum fft_window_kind kind)
{
    return windows[kind].name;
}
