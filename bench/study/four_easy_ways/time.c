/* time.c - the tables of times by size, with and without planning, and of other libraries. */
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/study/four_easy_ways/four_easy_ways.h"

/* The document's seconds on the Origin 2000, table I, from 2^3 points; whole programs, including
 * planning. */
static const struct {
    double radix2, imsl, nag, scsl, fftw;
} origin[] = {
    {0.190, 0.064, 0.010, 0.065, 0.013}, {0.018, 0.061, 0.010, 0.047, 0.013},
    {0.018, 0.062, 0.010, 0.065, 0.014}, {0.017, 0.116, 0.011, 0.073, 0.013},
    {0.019, 0.063, 0.010, 0.068, 0.015}, {0.018, 0.062, 0.011, 0.105, 0.014},
    {0.017, 0.122, 0.011, 0.069, 0.014}, {0.021, 0.065, 0.013, 0.056, 0.015},
    {0.021, 0.064, 0.016, 0.058, 0.017}, {0.021, 0.067, 0.023, 0.067, 0.023},
    {0.022, 0.075, 0.036, 0.065, 0.030}, {0.024, 0.144, 0.065, 0.066, 0.051},
    {0.030, 0.120, 0.135, 0.110, 0.082}, {0.040, 0.209, 0.296, 0.080, 0.189},
    {0.065, 0.335, 0.696, 0.072, 0.395}, {0.126, 0.829, 3.205, 0.075, 0.774},
    {0.238, 3.007, 9.538, 0.096, 2.186}, {0.442, 9.673, 18.40, 0.143, 4.611},
    {0.884, 23.36, 38.93, 0.260, 9.191}, {1.910, 46.70, 92.75, 0.396, 19.19},
    {4.014, 109.4, 187.7, 0.671, 48.69}, {7.550, 221.1, 442.7, 1.396, 99.10},
};
enum { FIRST = 3, LAST = 24 };

/* ---- one transform, with planning and without ---------------------------------------------- */

struct work {
    struct study *study;
    uint32_t n;
    struct fft_iq *in, *out;
    unsigned effort;                 /* of FFTW */
    struct fft_transform *transform; /* of the engine */
    fftw_plan plan;
};

static int work_init(struct work *w, struct study *s, uint32_t n)
{
    *w = (struct work){.study = s, .n = n};
    w->in = aligned_alloc(64, (n * sizeof *w->in + 63) / 64 * 64);
    w->out = aligned_alloc(64, (n * sizeof *w->out + 63) / 64 * 64);
    if (!w->in || !w->out)
        return -ENOMEM;
    noise_fill(w->in, n);
    memset(w->out, 0, n * sizeof *w->out);
    const struct fft_transform_plan plan = {.rank = 1, .n = {n}, .batch = 1};
    return fft_transform_create(&w->transform, s->engine, &plan, NULL, 0);
}

static void work_finish(struct work *w)
{
    if (w->plan)
        w->study->fftw->api.destroy(w->plan);
    fft_transform_destroy(w->transform);
    free(w->in);
    free(w->out);
}

static void engine_again(void *user)
{
    const struct work *w = user;
    fft_transform_execute(w->transform, w->in, w->out);
}

static void engine_anew(void *user)
{
    const struct work *w = user;
    const struct fft_transform_plan plan = {.rank = 1, .n = {w->n}, .batch = 1};
    struct fft_transform *t = NULL;
    if (fft_transform_create(&t, w->study->engine, &plan, NULL, 0) == 0)
        fft_transform_execute(t, w->in, w->out);
    fft_transform_destroy(t);
}

static void general_anew(void *user)
{
    const struct work *w = user;
    struct general g;
    struct radices radices;
    fft_radix_factor(&radices, w->n, (const uint32_t[]){8, 4, 2, 0});
    if (fft_general_init(&g, &radices) == 0)
        fft_general_fft(&g, w->in, 1, w->out, false);
    fft_general_finish(&g);
}

static fftw_plan fftw_plan_of(const struct work *w)
{
    const int n = (int)w->n;
    return w->study->fftw->api.plan_c2c(1, &n, 1, w->in, NULL, 1, n, w->out, NULL, 1, n,
                                        FFTW_FORWARD, w->effort);
}

static void fftw_again(void *user)
{
    const struct work *w = user;
    w->study->fftw->api.run_c2c(w->plan, w->in, w->out);
}

/* Wisdom is forgotten, so that FFTW plans again. */
static void fftw_anew(void *user)
{
    const struct work *w = user;
    w->study->fftw->api.forget();
    const fftw_plan plan = fftw_plan_of(w);
    if (plan) {
        w->study->fftw->api.run_c2c(plan, w->in, w->out);
        w->study->fftw->api.destroy(plan);
    }
}

static double fftw_seconds(struct work *w, void (*work)(void *user), unsigned effort)
{
    if (!w->study->fftw)
        return NAN;
    w->effort = effort;
    return study_seconds(w->study, work, w);
}

static double fftw_steady(struct work *w)
{
    if (!w->study->fftw)
        return NAN;
    w->effort = FFTW_MEASURE;
    w->plan = fftw_plan_of(w);
    noise_fill(w->in, w->n); /* planning overwrites the input */
    return w->plan ? study_seconds(w->study, fftw_again, w) : NAN;
}

/* ---- tables ------------------------------------------------------------------------------ */

static double radix2_seconds(const struct study *s, uint32_t n)
{
    struct study_general g;
    const double seconds =
        study_general_init(&g, n, 2) == 0 ? study_seconds(s, study_general_run, &g) : NAN;
    study_general_finish(&g);
    return seconds;
}

int study_doubling(struct study *s)
{
    static const char *const columns[] = {"n",
                                          "radix 2, s",
                                          "to the half",
                                          "engine, s",
                                          "engine, to the half",
                                          "document, s",
                                          "document, to the half",
                                          NULL};
    double last2 = NAN, last_engine = NAN, last_document = NAN;
    int err = 0;

    table_open(&s->tables, "doubling",
               "Table I: \"a doubling of time when the vector size is doubled for all vector "
               "sizes\". The columns are the general radix\n"
               "with base 2, the engine's transform, and the document's program on the Origin "
               "2000.",
               columns);
    for (uint32_t i = FIRST; err == 0 && i <= LAST && 1U << i <= study_largest(s, 1U << LAST);
         i++) {
        struct work w;
        char text[12];
        err = work_init(&w, s, 1U << i);
        if (err == 0) {
            const double radix2 = radix2_seconds(s, w.n);
            const double engine = study_seconds(s, engine_again, &w);
            const double document = origin[i - FIRST].radix2;
            snprintf(text, sizeof text, "2^%u", i);
            table_row(&s->tables,
                      (struct cell[]){
                          CELL_TEXT(text), CELL_NUMBER(radix2, 3), CELL_NUMBER(radix2 / last2, 3),
                          CELL_NUMBER(engine, 3), CELL_NUMBER(engine / last_engine, 3),
                          CELL_NUMBER(document, 3), CELL_NUMBER(document / last_document, 3)});
            last2 = radix2;
            last_engine = engine;
            last_document = document;
        }
        work_finish(&w);
    }
    return err;
}

static void plan_row(struct study *s, struct work *w, uint32_t i)
{
    char text[12];
    snprintf(text, sizeof text, "2^%u", i);
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(text), CELL_NUMBER(study_seconds(s, general_anew, w), 3),
                              CELL_NUMBER(study_seconds(s, engine_anew, w), 3),
                              CELL_NUMBER(study_seconds(s, engine_again, w), 3),
                              CELL_NUMBER(fftw_seconds(w, fftw_anew, FFTW_ESTIMATE), 3),
                              CELL_NUMBER(fftw_seconds(w, fftw_anew, FFTW_MEASURE), 3),
                              CELL_NUMBER(fftw_steady(w), 3),
                              CELL_NUMBER(origin[i - FIRST].radix2, 3),
                              CELL_NUMBER(origin[i - FIRST].fftw, 4)});
}

int study_plan(struct study *s)
{
    static const char *const columns[] = {
        "n, seconds",    "general, anew",  "engine, anew",  "engine, again",  "ESTIMATE, anew",
        "MEASURE, anew", "MEASURE, again", "document, own", "document, FFTW", NULL};
    int err = 0;

    table_open(&s->tables, "plan",
               "Table I: the whole program, \"which includes the creation of the FFTW plan\", "
               "on the Origin 2000: 13 times as fast\n"
               "as FFTW at 2^24. Anew: planning included; again: the plan is reused. One "
               "transform; FFTW's columns are by effort.",
               columns);
    for (uint32_t i = 4; err == 0 && i <= LAST && 1U << i <= study_largest(s, 1U << LAST); i += 4) {
        struct work w;
        err = work_init(&w, s, 1U << i);
        if (err == 0)
            plan_row(s, &w, i);
        work_finish(&w);
    }
    return err;
}

/* ---- other libraries ---------------------------------------------------------------------- */

/* KISS FFT's interface: a configuration has all of its state and is freed with free(). */
struct kiss {
    void *library, *configuration;
    void *(*alloc)(int n, int inverse, void *memory, size_t *size);
    void (*run)(void *configuration, const struct fft_iq *in, struct fft_iq *out);
    const struct work *work;
};

static bool kiss_open(struct kiss *k)
{
    void *alloc, *run;
    k->library = dlopen("libkissfft-float.so.131", RTLD_NOW | RTLD_LOCAL);
    if (!k->library)
        return false;
    alloc = dlsym(k->library, "kiss_fft_alloc");
    run = dlsym(k->library, "kiss_fft");
    memcpy(&k->alloc, &alloc, sizeof alloc);
    memcpy(&k->run, &run, sizeof run);
    return alloc && run;
}

static void kiss_again(void *user)
{
    const struct kiss *k = user;
    k->run(k->configuration, k->work->in, k->work->out);
}

static double kiss_seconds(struct study *s, struct kiss *k, const struct work *w)
{
    if (!k->alloc)
        return NAN;
    k->work = w;
    k->configuration = k->alloc((int)w->n, 0, NULL, NULL);
    const double seconds = k->configuration ? study_seconds(s, kiss_again, k) : NAN;
    free(k->configuration);
    return seconds;
}

int study_libraries(struct study *s)
{
    static const char *const columns[] = {
        "n, ns a point", "engine",         "radix 2",        "FFTW MEASURE",  "KISS FFT",
        "document, own", "document, FFTW", "document, SCSL", "document, NAG", NULL};
    struct kiss kiss = {0};
    int err = 0;

    if (!kiss_open(&kiss))
        kiss.alloc = NULL;
    table_open(&s->tables, "libraries",
               "Table I: FFTW, IMSL, NAG and SCSL on the Origin 2000, whole programs. Here a "
               "plan is reused, with the libraries\n"
               "that are installed; $FFT_BENCH_FFTW can name another library with FFTW's "
               "interface.",
               columns);
    for (uint32_t i = 8; err == 0 && 1U << i <= study_largest(s, 1 << 20); i += 4) {
        struct work w;
        char text[12];
        err = work_init(&w, s, 1U << i);
        if (err == 0) {
            const double to_ns = 1e9 / w.n;
            snprintf(text, sizeof text, "2^%u", i);
            table_row(&s->tables,
                      (struct cell[]){CELL_TEXT(text),
                                      CELL_NUMBER(to_ns * study_seconds(s, engine_again, &w), 3),
                                      CELL_NUMBER(to_ns * radix2_seconds(s, w.n), 3),
                                      CELL_NUMBER(to_ns * fftw_steady(&w), 3),
                                      CELL_NUMBER(to_ns * kiss_seconds(s, &kiss, &w), 3),
                                      CELL_NUMBER(to_ns * origin[i - FIRST].radix2, 4),
                                      CELL_NUMBER(to_ns * origin[i - FIRST].fftw, 4),
                                      CELL_NUMBER(to_ns * origin[i - FIRST].scsl, 4),
                                      CELL_NUMBER(to_ns * origin[i - FIRST].nag, 4)});
        }
        work_finish(&w);
    }
    if (kiss.library)
        dlclose(kiss.library);
    return err;
}
