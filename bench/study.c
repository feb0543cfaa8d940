/* study.c - the list of tables, and what they share. */
#include "bench/study.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/engine/reference.h"

enum { RUNS = 5, QUICK_LARGEST = 4096 };
static const double enough_s = 0.01, long_s = 0.5;

static const struct {
    const char *name;
    int (*print)(struct study *s);
} tables[] = {
    {"ladder", study_ladder},   {"share", study_share},         {"radix", study_radix},
    {"streams", study_streams}, {"faults", study_faults},       {"doubling", study_doubling},
    {"plan", study_plan},       {"libraries", study_libraries}, {"size", study_size},
    {"padding", study_padding},
};

static void cpu_name(char *name, size_t size)
{
    char line[300];
    FILE *f = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "unknown processor");
    while (f && fgets(line, sizeof line, f)) {
        const char *value = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (value) {
            snprintf(name, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
            break;
        }
    }
    if (f)
        fclose(f);
}

static void print_machine(struct study *s)
{
    static const char *const columns[] = {"what", "here", NULL};
    char cpu[120];
    cpu_name(cpu, sizeof cpu);
    table_open(
        &s->tables, "machine",
        "L. R. Mullin and S. G. Small, \"Four Easy Ways to a Faster FFT\", 2002: an SGI Origin "
        "2000 (195 MHz),\nan IBM SP-2 (160 MHz), a SUN SPARCserver 1000E (60 MHz) and a SUN 20 "
        "(50 MHz).",
        columns);
    table_row(&s->tables, (struct cell[]){CELL_TEXT("processor"), CELL_TEXT(cpu)});
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT("engine"), CELL_TEXT(fft_engine_describe(s->engine))});
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT("FFTW"), CELL_TEXT(s->fftw ? s->fftw->name : "none")});
}

bool study_has(const char *table)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (strcmp(table, tables[i].name) == 0)
            return true;
    return false;
}

int study_run(struct bench *b)
{
    struct study s = {.options = &b->options, .engine = b->engine};
    const char *only = b->options.table;
    char why[200];
    int err = 0;

    if (fftw_open(&s.fftw, false, why, sizeof why) < 0)
        fprintf(stderr, "fft-bench: %s\n", why); /* its columns stay empty */
    tables_begin(&s.tables, b->options.json);
    print_machine(&s);
    for (size_t i = 0; err == 0 && i < sizeof tables / sizeof tables[0]; i++)
        if (!only || strcmp(only, tables[i].name) == 0)
            err = tables[i].print(&s);
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
    const double repeats = ceil(enough_s / fmax(once, 1e-8));
    for (int run = 0; run < RUNS; run++) {
        start = contest_clock(false);
        for (double i = 0; i < repeats; i++)
            work(user);
        times[run] = (contest_clock(false) - start) / repeats;
    }
    return contest_median(times, RUNS);
}

uint32_t study_largest(const struct study *s, uint32_t largest)
{
    return s->options->quick && largest > QUICK_LARGEST ? QUICK_LARGEST : largest;
}

/* ---- a general radix at work ------------------------------------------------------------- */

void study_noise(struct iq *x, uint32_t n)
{
    uint64_t state = n;
    float *v = &x->re;
    for (size_t i = 0; i < 2 * (size_t)n; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        v[i] = (float)((double)(state >> 40) / 0x1p23 - 1);
    }
}

double study_error(const struct iq *in, const struct iq *out, uint32_t n)
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

int study_general_init(struct study_general *g, uint32_t n, uint32_t base)
{
    struct radices radices;
    *g = (struct study_general){0};
    if (!radix_factor(&radices, n, (const uint32_t[]){base, 0}))
        return -EINVAL;
    g->from = malloc(n * sizeof *g->from);
    g->to = malloc(n * sizeof *g->to);
    if (!g->from || !g->to)
        return -ENOMEM;
    study_noise(g->from, n);
    return general_init(&g->general, &radices);
}

void study_general_finish(struct study_general *g)
{
    general_finish(&g->general);
    free(g->from);
    free(g->to);
}

void study_general_run(void *study_general)
{
    const struct study_general *g = study_general;
    general_fft(&g->general, g->from, 1, g->to, false);
}
