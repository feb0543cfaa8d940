/*
 * main.c - fft-bench: measures the library's engines on this machine, alone or against FFTW.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bound.h"
#include "bench/fftw.h"
#include "bench/options.h"
#include "bench/ours.h"
#include "bench/report.h"

enum { RUN_SAMPLES = 1 << 23 }; /* frame samples of one run: some 10 ms */

struct bench {
    struct options options;
    struct machine machine;
    struct fft_engine *engine;
    struct fftw *fftw; /* NULL: alone */
    uint32_t rows;
};

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "fft-bench: %s: %s\n", what, why);
    return -EIO;
}

static void report(struct bench *b, const struct job *job, const struct contestant *c)
{
    const double samples = 1e-6 * job->plan.n * job->plan.max_frames;
    const struct row row = {.n = job->plan.n,
                            .hop = job->plan.hop,
                            .threads = job->threads,
                            .engine = c[0].name,
                            .what = "spectrum",
                            .format = iq_name(job->plan.format),
                            .msps = samples / c[0].seconds,
                            .rel_error = c[0].rel_error,
                            .bound_msps = 1e-6 * bound_samples(&b->machine, job),
                            .ref = b->fftw ? c[1].name : NULL,
                            .ref_msps = b->fftw ? samples / c[1].seconds : 0,
                            .ref_rel_error = c[1].rel_error};
    report_row(b->options.json, &row, b->rows++ == 0);
}

static int compete(struct bench *b, struct ours *ours, const struct job *job)
{
    struct contestant contestants[2] = {ours_contestant(ours)};
    int count = 1, err = 0;

    if (b->fftw) {
        err = fftw_prepare(b->fftw, job);
        contestants[count++] = fftw_contestant(b->fftw);
    }
    if (err == 0)
        err = contest(contestants, count, job);
    if (err < 0)
        return fail("run", strerror(-err));
    report(b, job, contestants);
    return 0;
}

static int bench_size(struct bench *b, uint32_t n)
{
    const struct options *o = &b->options;
    const struct spectrum_plan shape = {.n = n,
                                        .hop = o->hop ? o->hop : n / 2,
                                        .depth = 1,
                                        .format = o->format,
                                        .traces = TRACE_MEAN};
    struct job job = {.threads = o->threads};
    struct ours ours = {0};
    char why[200] = "out of memory";

    int err = job_init(&job, &shape, RUN_SAMPLES);
    if (err == 0)
        err = ours_init(&ours, b->engine, &job, why, sizeof why);
    if (err < 0)
        fail("plan", why);
    else
        err = compete(b, &ours, &job);
    ours_finish(&ours);
    job_finish(&job);
    return err;
}

static int open_all(struct bench *b)
{
    const struct options *o = &b->options;
    const struct fft_engine_config config = {o->engine, o->threads, o->isa};
    char why[300];

    if (fft_engine_open(&b->engine, &config, why, sizeof why) < 0)
        return fail("engine", why);
    if (o->vs_fftw && fftw_open(&b->fftw, o->patient, why, sizeof why) < 0)
        return fail("--vs fftw", why);
    machine_measure(&b->machine);
    fprintf(stderr, "%s%s%s; %.0f G operations/s a core\n", fft_engine_describe(b->engine),
            b->fftw ? " against " : "", b->fftw ? fftw_name(b->fftw) : "",
            1e-9 * b->machine.operations);
    return 0;
}

int main(int argc, char **argv)
{
    struct bench b = {0};
    int err = options_parse(&b.options, argc, argv);
    if (err != 0) {
        if (err > 0)
            options_help();
        return err > 0 ? EXIT_SUCCESS : 2;
    }
    err = open_all(&b);
    if (err == 0) {
        report_begin(b.options.json);
        for (uint32_t i = 0; err == 0 && i < b.options.count; i++)
            err = bench_size(&b, b.options.sizes[i]);
        report_end(b.options.json);
    }
    fftw_close(b.fftw);
    fft_engine_close(b.engine);
    return err < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
