/* level.c - computes one line of one detector on an engine, and compares levels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/engine/level.h"

#include <math.h>
#include <stdlib.h>

/* The caller frees the plan's window. */
static struct fft_spectrum_config create_plan(const struct setup *m)
{
    struct fft_window window;
    float *w = malloc(m->n * sizeof *w);
    assert_int_equal(fft_window_parse(m->window, &window), 0);
    fft_window_fill(&window, w, m->n, 1.0, NULL);
    return (struct fft_spectrum_config){.n = m->n,
                                        .hop = m->hop,
                                        .max_frames = 500,
                                        .depth = 1,
                                        .format = m->format,
                                        .window = w,
                                        .detectors = m->detector};
}

bool can_measure(struct fft_engine *e, const struct setup *m)
{
    const struct fft_spectrum_config plan = create_plan(m);
    const bool can = test_engine_does(e, &plan);
    free((void *)plan.window);
    return can;
}

float *measure(struct fft_engine *e, const struct setup *m, const void *raw)
{
    const struct fft_spectrum_config plan = create_plan(m);
    float *out = malloc(m->n * sizeof *out);
    struct fft_fold *fold = test_run(e, &plan, raw, m->frames);
    fft_fold_detector(fold, m->detector, out);
    fft_fold_destroy(fold);
    free((void *)plan.window);
    return out;
}

uint64_t setup_samples(const struct setup *m)
{
    return (uint64_t)(m->frames - 1) * m->hop + m->n;
}

double mean_of(const float *power, uint32_t n)
{
    double sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += (double)power[k];
    return sum / n;
}

void expect_db(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s: %.4f dB, not %.4f +- %g", what, got, want, tolerance);
}
