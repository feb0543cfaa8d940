/* study.c - the documents, and what their tables share. */
#include "bench/study/study.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"

enum { RUNS = 5, QUICK_LARGEST = 4096 };
static const double enough_s = 0.01, long_s = 0.5;

static const struct study_document *const documents[] = {
    &study_four_easy_ways, &study_gpu_fft, &study_cuda_3d, &study_mali, &study_bainville};

const struct study_document *study_find(const char *name)
{
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++)
        if (strcmp(name, documents[i]->name) == 0)
            return documents[i];
    return NULL;
}

bool study_has(const struct study_document *d, const char *table)
{
    for (const struct study_table *t = d->tables; t->name; t++)
        if (strcmp(table, t->name) == 0)
            return true;
    return false;
}

int study_run(struct bench *b)
{
    const struct study_document *d = study_find(b->options.study);
    struct study s = {.options = &b->options, .engine = b->engine};
    const char *only = b->options.table;
    char why[200];
    int err = 0;

    if (d->run)
        return d->run(b);
    if (d->measures && fftw_open(&s.fftw, false, why, sizeof why) < 0)
        fprintf(stderr, "fft-bench: %s\n", why); /* its columns stay empty */
    tables_begin(&s.tables, b->options.json);
    for (const struct study_table *t = d->tables; err == 0 && t->name; t++)
        if (t == d->tables || !only || strcmp(only, t->name) == 0)
            err = t->print(&s);
    tables_end(&s.tables);
    fftw_close(s.fftw);
    return err < 0 ? bench_fail("study", strerror(-err)) : 0;
}

double study_seconds(const struct study *s, void (*work)(void *user), void *user)
{
    double times[RUNS], start = contest_clock(false);
    work(user); /* warms up, and says how long it takes */
    const double once = contest_clock(false) - start;
    if (s->options->quick || once > long_s)
        return once;
    const uint64_t repeats = (uint64_t)ceil(enough_s / fmax(once, 1e-8));
    for (int run = 0; run < RUNS; run++) {
        start = contest_clock(false);
        for (uint64_t i = 0; i < repeats; i++)
            work(user);
        times[run] = (contest_clock(false) - start) / (double)repeats;
    }
    return contest_median(times, RUNS);
}

uint32_t study_largest(const struct study *s, uint32_t largest)
{
    return s->options->quick && largest > QUICK_LARGEST ? QUICK_LARGEST : largest;
}

void study_noise(struct fft_iq *x, uint32_t n)
{
    uint64_t state = n;
    float *v = &x->re;
    for (size_t i = 0; i < 2 * (size_t)n; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        v[i] = (float)((double)(state >> 40) / 0x1p23 - 1);
    }
}

double study_error(const struct fft_iq *in, const struct fft_iq *out, uint32_t n)
{
    struct complex64 *x = malloc(n * sizeof *x);
    double off = 0, all = 0;
    if (!x)
        return NAN;
    for (uint32_t i = 0; i < n; i++)
        x[i] = (struct complex64){(double)in[i].re, (double)in[i].im};
    reference_dft(x, n, false);
    for (uint32_t i = 0; i < n; i++) {
        off += pow((double)out[i].re - x[i].re, 2) + pow((double)out[i].im - x[i].im, 2);
        all += x[i].re * x[i].re + x[i].im * x[i].im;
    }
    free(x);
    return sqrt(off / all);
}
