/* spectrum.c - rows of fused spectra. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/fftw_spectrum.h"
#include "bench/ours_spectrum.h"

enum { RUN_SAMPLES = 1 << 23, QUICK_SAMPLES = 1 << 14 }; /* frame samples of one run: some 10 ms */

static void report(struct bench *b, const struct spectrum_job *job, const struct contestant *c)
{
    const double samples = 1e-6 * job->plan.n * job->plan.max_frames;
    char detail[40];
    snprintf(detail, sizeof detail, "\"hop\":%u,", job->plan.hop);
    const struct row row = {.shape = {1, {job->plan.n}},
                            .threads = job->threads,
                            .engine = c[0].name,
                            .what = "spectrum",
                            .format = iq_name(job->plan.format),
                            .detail = detail,
                            .msps = samples / c[0].seconds,
                            .error = c[0].error,
                            .bound_msps = 1e-6 * bound_spectrum(&b->machine, job),
                            .ref = b->fftw ? c[1].name : NULL,
                            .ref_msps = b->fftw ? samples / c[1].seconds : 0,
                            .ref_error = c[1].error};
    report_row(&b->report, &row);
}

static int compete(struct bench *b, const struct spectrum_job *job, struct ours_spectrum *ours,
                   struct fftw_spectrum *theirs)
{
    struct contestant contestants[2] = {0};
    char why[200] = "";
    int count = 1, err = ours_spectrum_init(ours, b->engine, job, why, sizeof why);
    if (err < 0)
        return bench_fail("plan", *why ? why : strerror(-err));
    contestants[0] = ours_spectrum_contestant(ours);
    if (b->fftw) {
        err = fftw_spectrum_init(theirs, b->fftw, job);
        contestants[count++] = fftw_spectrum_contestant(theirs);
    }
    if (err == 0)
        err = contest(contestants, count, job->threads > 1);
    if (err < 0)
        return bench_fail("run", strerror(-err));
    report(b, job, contestants);
    return 0;
}

int bench_spectrum(struct bench *b, const struct shape *shape)
{
    const struct options *o = &b->options;
    const uint32_t n = shape->n[0];
    const struct spectrum_plan plan = {.n = n,
                                       .hop = o->hop ? o->hop : n / 2,
                                       .depth = 1,
                                       .format = o->format,
                                       .traces = TRACE_MEAN};
    struct spectrum_job job = {.threads = o->threads};
    struct ours_spectrum ours = {0};
    struct fftw_spectrum theirs = {0};

    int err = spectrum_job_init(&job, &plan, o->quick ? QUICK_SAMPLES : RUN_SAMPLES);
    if (err < 0)
        bench_fail("job", strerror(-err));
    else
        err = compete(b, &job, &ours, &theirs);
    fftw_spectrum_finish(&theirs);
    ours_spectrum_finish(&ours);
    spectrum_job_finish(&job);
    return err;
}
