/* padding.c - the table for "is it better to pad to radix 2 or use another radix?" */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studies/four_easy_ways/four_easy_ways.h"

struct sized {
    struct fft_transform *transform;
    struct fftw *fftw;
    fftw_plan plan;
    struct fft_iq *in, *out;
};

static int sized_init(struct sized *z, const struct study *s, uint32_t n)
{
    const struct fft_transform_config plan = {.rank = 1, .n = {n}, .batch = 1};
    *z = (struct sized){.fftw = s->fftw};
    z->in = aligned_alloc(64, (n * sizeof *z->in + 63) / 64 * 64);
    z->out = aligned_alloc(64, (n * sizeof *z->out + 63) / 64 * 64);
    if (!z->in || !z->out)
        return -ENOMEM;
    const int length = (int)n;
    if (z->fftw)
        z->plan = z->fftw->api.plan_c2c(1, &length, 1, z->in, NULL, 1, length, z->out, NULL, 1,
                                        length, FFTW_FORWARD, FFTW_MEASURE);
    noise_fill(z->in, n);
    memset(z->out, 0, n * sizeof *z->out);
    return fft_transform_create(&z->transform, s->engine, &plan, NULL, 0);
}

static void sized_finish(struct sized *z)
{
    if (z->plan)
        z->fftw->api.destroy(z->plan);
    fft_transform_destroy(z->transform);
    free(z->in);
    free(z->out);
}

static void run_engine(void *user)
{
    const struct sized *z = user;
    fft_transform_execute(z->transform, z->in, z->out);
}

static void run_fftw(void *user)
{
    const struct sized *z = user;
    z->fftw->api.run_c2c(z->plan, z->in, z->out);
}

/* Measures microseconds of the engine and of FFTW at n points. */
static int measure(const struct study *s, uint32_t n, double us[2])
{
    struct sized z;
    const int err = sized_init(&z, s, n);
    us[0] = err ? NAN : 1e6 * study_seconds(s, run_engine, &z);
    us[1] = err || !z.plan ? NAN : 1e6 * study_seconds(s, run_fftw, &z);
    sized_finish(&z);
    return err;
}

int study_padding(struct study *s)
{
    static const char *const columns[] = {
        "n",        "padded",          "engine, us",     "padded, us", "slower by",
        "FFTW, us", "FFTW padded, us", "FFTW slower by", NULL};
    static const uint32_t lengths[] = {243,    625,    1000,    1536,   2187,  3125,
                                       4800,   6561,   15625,   19683,  59049, 78125,
                                       100000, 390625, 1000000, 1594323};
    int err = 0;

    table_open(&s->tables, "padding",
               "The document asks: \"Is it better to pad to radix 2 or use another radix?\" The "
               "table compares a transform of n points\n"
               "by its own factors with one padded to the next power of two; slower by less "
               "than 1 means that padding is faster.",
               columns);
    for (size_t i = 0; err == 0 && i < sizeof lengths / sizeof lengths[0]; i++) {
        uint32_t padded = 1;
        double own[2], power[2];
        char name[12], to[12];
        if (lengths[i] > study_largest(s, UINT32_MAX))
            break;
        while (padded < lengths[i])
            padded *= 2;
        err = measure(s, lengths[i], own);
        if (err == 0)
            err = measure(s, padded, power);
        snprintf(name, sizeof name, "%u", lengths[i]);
        snprintf(to, sizeof to, "%u", padded);
        if (err == 0)
            table_row(&s->tables,
                      (struct cell[]){CELL_TEXT(name), CELL_TEXT(to), CELL_NUMBER(own[0], 3),
                                      CELL_NUMBER(power[0], 3), CELL_NUMBER(power[0] / own[0], 3),
                                      CELL_NUMBER(own[1], 3), CELL_NUMBER(power[1], 3),
                                      CELL_NUMBER(power[1] / own[1], 3)});
    }
    return err;
}
