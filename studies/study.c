/* study.c - the list of documents, and what their tables share. */
#include "studies/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RUNS = 5, QUICK_LARGEST = 4096 };
static const double min_run_s = 0.01, long_s = 0.5;

const struct study_document *const study_documents[] = {
    &study_four_easy_ways, &study_gpu_fft, &study_cuda_3d, &study_mali, &study_bainville, NULL};

const struct study_document *study_find(const char *name)
{
    for (const struct study_document *const *d = study_documents; *d; d++)
        if (strcmp(name, (*d)->name) == 0)
            return *d;
    return NULL;
}

/* The length of the first name of a list, "radix,curves". */
static size_t name_length(const char *list)
{
    return strcspn(list, ",");
}

static const char *next_name(const char *list)
{
    const char *end = list + name_length(list);
    return *end ? end + 1 : end;
}

static bool is_first(const char *list, const char *name)
{
    return name_length(list) == strlen(name) && strncmp(list, name, strlen(name)) == 0;
}

static bool has_first(const struct study_document *d, const char *list)
{
    for (const struct study_table *t = d->tables; t->name; t++)
        if (is_first(list, t->name))
            return true;
    return false;
}

bool study_has_tables(const struct study_document *d, const char *list)
{
    bool has = *list;
    for (; has && *list; list = next_name(list))
        has = has_first(d, list);
    return has;
}

bool study_wants(const struct study *s, const char *table)
{
    bool wants = !s->options.table;
    for (const char *list = s->options.table; list && *list && !wants; list = next_name(list))
        wants = is_first(list, table);
    return wants;
}

/* Opens the engine and, where it is installed, FFTW; without FFTW its columns stay empty. */
static int open_libraries(struct study *s)
{
    const struct study_options *o = &s->options;
    const struct fft_engine_config config = {o->engine, 1, o->isa, o->engine_options};
    char why[400];
    if (fft_engine_open(&s->engine, &config, why, sizeof why) < 0)
        return bench_fail("engine", why);
    if (fftw_open(&s->fftw, false, why, sizeof why) < 0)
        bench_error("%s", why);
    return 0;
}

int study_run(struct study *s)
{
    const struct study_document *d = s->document;
    int err = d->measures ? open_libraries(s) : 0;
    if (d->run || err < 0)
        return err < 0 ? err : d->run(s);
    tables_begin(&s->tables, s->options.json);
    for (const struct study_table *t = d->tables; err == 0 && t->name; t++)
        if (t == d->tables || study_wants(s, t->name))
            err = t->print(s);
    tables_end(&s->tables);
    return bench_report("study", err);
}

void study_close(struct study *s)
{
    fftw_close(s->fftw);
    cufft_close(s->cufft);
    gpu_close(s->gpu);
    fft_engine_close(s->engine);
}

double study_seconds(const struct study *s, void (*work)(void *user), void *user)
{
    double times[RUNS], start = contest_clock(false);
    work(user); /* warms up; its time decides how often the work is repeated */
    const double once = contest_clock(false) - start;
    if (s->options.quick || once > long_s)
        return once;
    const uint64_t repeats = (uint64_t)ceil(min_run_s / fmax(once, 1e-8));
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
    return s->options.quick && largest > QUICK_LARGEST ? QUICK_LARGEST : largest;
}
