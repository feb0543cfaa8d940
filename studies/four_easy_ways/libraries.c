/* libraries.c - KISS FFT, pocketfft, and the table of libraries. */
#include "studies/four_easy_ways/libraries.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studies/four_easy_ways/document.h"
#include "studies/four_easy_ways/four_easy_ways.h"
#include "studies/four_easy_ways/work.h"

/* ---- KISS FFT ------------------------------------------------------------------------------ */

bool kiss_open(struct kiss *k)
{
    void *alloc, *run;
    *k = (struct kiss){.library = dlopen("libkissfft-float.so.131", RTLD_NOW | RTLD_LOCAL)};
    if (!k->library)
        return false;
    alloc = dlsym(k->library, "kiss_fft_alloc");
    run = dlsym(k->library, "kiss_fft");
    memcpy(&k->alloc, &alloc, sizeof alloc);
    memcpy(&k->run, &run, sizeof run);
    return alloc && run;
}

void kiss_close(struct kiss *k)
{
    if (k->library)
        dlclose(k->library);
    *k = (struct kiss){0};
}

struct kiss_work {
    const struct kiss *kiss;
    void *configuration;
    const struct work *work;
};

static void kiss_again(void *user)
{
    const struct kiss_work *k = user;
    k->kiss->run(k->configuration, k->work->in, k->work->out);
}

/* NaN: not installed, no memory, or a wrong result. */
static double kiss_seconds(struct study *s, const struct kiss *kiss, const struct work *w)
{
    if (!kiss->alloc)
        return NAN;
    struct kiss_work k = {kiss, kiss->alloc((int)w->n, 0, NULL, NULL), w};
    const double seconds = k.configuration ? study_seconds(s, kiss_again, &k) : NAN;
    free(k.configuration);
    return work_is_right(w->in, w->out, w->n) ? seconds : NAN;
}

/* ---- pocketfft ------------------------------------------------------------------------------ */

/* The first python3 may be another one than the system's, and lack its packages. */
static const char find_python[] =
    "python=python3; $python -c 'import scipy.fft' || python=/usr/bin/python3";

/* argv: "quick" or not, then the sizes. The energy and bin 0 show that the result is right. */
static const char script[] =
    "import sys, time, numpy, scipy.fft\n"
    "def run(x, count):\n"
    "    start = time.thread_time()\n"
    "    for i in range(count): scipy.fft.fft(x)\n"
    "    return (time.thread_time() - start) / count\n"
    "for n in map(int, sys.argv[2:]):\n"
    "    x = numpy.random.default_rng(n).uniform(-1, 1, 2 * n).astype(\"f4\").view(\"c8\")\n"
    "    y, wide = scipy.fft.fft(x), x.astype(\"c16\")\n"
    "    power = numpy.vdot(wide, wide).real\n"
    "    assert y.dtype == x.dtype and abs(y[0] - wide.sum()) < 1e-4 * power ** 0.5\n"
    "    y = y.astype(\"c16\")\n"
    "    assert abs(numpy.vdot(y, y).real / power / n - 1) < 1e-4\n"
    "    once = run(x, 1)\n"
    "    if sys.argv[1] != \"quick\" and once < 0.5:\n"
    "        count = int(0.01 / once) + 1\n"
    "        once = sorted(run(x, count) for i in range(5))[2]\n"
    "    print(once, flush=True)\n";

/*
 * pocketfft as SciPy has it, in single precision: seconds of one transform for each size, measured
 * in a python3 of its own by the rules of study_seconds(). NaN: no SciPy, or a wrong result.
 */
static void pocketfft_seconds(const struct study *s, const struct counts *sizes, double *seconds)
{
    char command[sizeof script + 200 + (size_t)COUNTS * 11];
    size_t used = (size_t)snprintf(command, sizeof command, "{ %s; $python -c '%s' %s", find_python,
                                   script, s->options.quick ? "quick" : "long");
    for (uint32_t i = 0; i < sizes->count; i++)
        used += (size_t)snprintf(command + used, sizeof command - used, " %u", sizes->at[i]);
    snprintf(command + used, sizeof command - used, "; } 2>/dev/null");
    fflush(stdout);
    FILE *python = popen(command, "r");
    for (uint32_t i = 0; i < sizes->count; i++) {
        char line[60];
        const bool has = python && fgets(line, sizeof line, python);
        seconds[i] = has ? strtod(line, NULL) : NAN;
    }
    if (python)
        pclose(python);
}

/* ---- the table ------------------------------------------------------------------------------ */

static int libraries_row(struct study *s, const struct kiss *kiss, uint32_t n, double pocketfft)
{
    const struct document_origin document = document_origin(n);
    const double to_ns = 1e9 / n;
    struct work w;
    char text[12];
    const int err = work_init(&w, s, n);
    if (err == 0)
        table_row(&s->tables,
                  (struct cell[]){
                      CELL_TEXT(study_size_text(n, text)),
                      CELL_NUMBER(to_ns * study_seconds(s, work_engine_again, &w), 3),
                      CELL_NUMBER(to_ns * study_general_seconds(s, n, 2, NULL), 3),
                      CELL_NUMBER(to_ns * work_fftw_again_seconds(&w), 3),
                      CELL_NUMBER(to_ns * kiss_seconds(s, kiss, &w), 3),
                      CELL_NUMBER(to_ns * pocketfft, 3), CELL_NUMBER(to_ns * document.radix2, 4),
                      CELL_NUMBER(to_ns * document.fftw, 4), CELL_NUMBER(to_ns * document.scsl, 4),
                      CELL_NUMBER(to_ns * document.nag, 4)});
    work_finish(&w);
    return err;
}

int study_libraries(struct study *s)
{
    static const char *const columns[] = {"n, ns a point",
                                          "engine",
                                          "radix 2",
                                          "FFTW MEASURE",
                                          "KISS FFT",
                                          "pocketfft",
                                          "document, own",
                                          "document, FFTW",
                                          "document, SCSL",
                                          "document, NAG",
                                          NULL};
    const struct counts sizes = study_sizes(s, 1 << 8, 16, 1 << 20);
    double pocketfft[COUNTS];
    struct kiss kiss;
    int err = 0;

    if (!kiss_open(&kiss))
        kiss.alloc = NULL;
    pocketfft_seconds(s, &sizes, pocketfft);
    table_open(&s->tables, "libraries",
               "Table I: FFTW, IMSL, NAG and SCSL on the Origin 2000, whole programs. Here a "
               "plan is reused, with the libraries\n"
               "that are installed; $FFT_BENCH_FFTW can name another library with FFTW's "
               "interface. pocketfft is SciPy's, called\nfrom Python.",
               columns);
    for (uint32_t i = 0; err == 0 && i < sizes.count; i++)
        err = libraries_row(s, &kiss, sizes.at[i], pocketfft[i]);
    kiss_close(&kiss);
    return err;
}
