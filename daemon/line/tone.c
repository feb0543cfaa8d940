/* tone.c - finds a tone between two bins. */
#include "daemon/line/tone.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "fft/window.h"

enum { POINTS = 512 }; /* of the window; its main lobe is the same for all larger sizes */

/* |W(d)|^2 of a window whose sum is 1. */
static double lobe(const float *w, uint32_t n, double d)
{
    double re = 0, im = 0;
    for (uint32_t i = 0; i < n; i++) {
        double sine, cosine;
        sincos(2 * M_PI * d * i / n, &sine, &cosine);
        re += (double)w[i] * cosine;
        im += (double)w[i] * sine;
    }
    return re * re + im * im;
}

/* A measure of the distance of a tone from its bin; grows with it. */
static double ratio_of(bool narrow, double larger, double smaller, double middle)
{
    const double least = 1e-30;
    return narrow ? sqrt(larger / fmax(middle, least)) : log(larger / fmax(smaller, least));
}

static bool fill(struct tone_shape *s, const float *w, uint32_t n)
{
    bool grows = true;
    for (int i = 0; i <= TONE_STEPS; i++) {
        const double d = 0.5 * i / TONE_STEPS, r = s->reach;
        s->gain[i] = lobe(w, n, d);
        s->ratio[i] = ratio_of(s->narrow, lobe(w, n, r - d), lobe(w, n, r + d), s->gain[i]);
        grows = grows && (i == 0 || s->ratio[i] > s->ratio[i - 1]);
    }
    return grows;
}

/*
 * The neighbours of a tone in a narrow main lobe are empty, or one of them passes the lobe's first
 * zero, where the ratio does not grow.
 */
static void make(struct tone_shape *s, const float *w, uint32_t n)
{
    s->narrow = false;
    s->reach = 1;
    while (lobe(w, n, s->reach) > 0.5)
        s->reach++;
    if (lobe(w, n, s->reach) > 0.01 && fill(s, w, n))
        return;
    s->narrow = true;
    fill(s, w, n);
}

int tone_shape_prepare(struct tone_shape *s, const struct line *line)
{
    const uint32_t n = line->n < POINTS ? line->n : POINTS;
    float w[POINTS];
    struct fft_window window;
    if (s->n == n && strcmp(s->window, line->window) == 0)
        return 0;
    if (fft_window_parse(line->window, &window) < 0)
        return -EINVAL;
    fft_window_fill(&window, w, n, 1, NULL);
    make(s, w, n);
    s->n = n;
    memcpy(s->window, line->window, sizeof s->window);
    return 0;
}

double tone_width(const struct line *line, double drop_db)
{
    const uint32_t n = line->n < POINTS ? line->n : POINTS;
    const double limit = pow(10, -drop_db / 10);
    float w[POINTS];
    struct fft_window window;
    if (fft_window_parse(line->window, &window) < 0)
        return 0;
    fft_window_fill(&window, w, n, 1, NULL);
    double inside = 0, outside = 0;
    do {
        inside = outside;
        outside += 0.125;
    } while (outside < 32 && lobe(w, n, outside) > limit);
    for (int i = 0; i < 20; i++) {
        const double middle = (inside + outside) / 2;
        *(lobe(w, n, middle) > limit ? &inside : &outside) = middle;
    }
    return 2 * inside;
}

/* The place of `ratio` in the table: a step with a fraction. */
static double step_of(const struct tone_shape *s, double ratio)
{
    int low = 0, high = TONE_STEPS;
    if (!(ratio > s->ratio[0]))
        return 0;
    if (ratio >= s->ratio[TONE_STEPS])
        return TONE_STEPS;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(s->ratio[middle] <= ratio ? &low : &high) = middle;
    }
    return low + (ratio - s->ratio[low]) / (s->ratio[high] - s->ratio[low]);
}

struct tone tone_at(const struct tone_shape *s, const float *power, uint32_t n, uint32_t bin)
{
    const double right = (double)power[(bin + s->reach) % n];
    const double left = (double)power[(bin + n - s->reach) % n], middle = (double)power[bin];
    const double step =
        step_of(s, ratio_of(s->narrow, fmax(left, right), fmin(left, right), middle));
    const int low = step < TONE_STEPS ? (int)step : TONE_STEPS - 1;
    const double gain = s->gain[low] + (step - low) * (s->gain[low + 1] - s->gain[low]);
    const double d = 0.5 * step / TONE_STEPS;
    return (struct tone){bin + (right >= left ? d : -d), middle / gain};
}
