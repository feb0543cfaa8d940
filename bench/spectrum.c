/* spectrum.c - rows of fused spectra. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/engine_spectrum.h"
#include "bench/libs/fftw_spectrum.h"

/* Frame samples of one run: some 10 ms, of the slower one where rivals on the same device are. */
enum { RUN_SAMPLES = 1 << 23, RIVAL_SAMPLES = 1 << 20, QUICK_SAMPLES = 1 << 14 };

/* Who takes part: an engine, and another library or the same engine without density. */
struct field {
    struct spectrum_job job, plain;
    struct ours_spectrum ours, without;
    struct fftw_spectrum theirs;
    struct rival_spectrum rival;
    struct contestant contestants[2];
    int count;
};

static void report(struct bench *b, const struct field *f)
{
    const struct spectrum_job *job = &f->job;
    const struct fft_density *d = &job->plan.density;
    const struct contestant *c = f->contestants;
    const double samples = 1e-6 * job->plan.n * job->plan.max_frames;
    char traces[40], detail[200];
    int used = snprintf(detail, sizeof detail, "\"hop\":%u,\"traces\":\"%s\",", job->plan.hop,
                        options_trace_names(job->plan.traces, traces, sizeof traces));
    if (d->columns)
        snprintf(detail + used, sizeof detail - (size_t)used,
                 "\"columns\":%u,\"levels\":%u,\"mhits\":%.1f,", d->columns, d->levels,
                 1e-6 * d->columns * job->plan.max_frames / c[0].seconds);
    const struct row row = {.shape = {1, {job->plan.n}},
                            .threads = job->threads,
                            .engine = c[0].name,
                            .what = d->columns ? "density" : "spectrum",
                            .format = fft_iq_name(job->plan.format),
                            .detail = detail,
                            .msps = samples / c[0].seconds,
                            .error = c[0].error,
                            .bound_msps = 1e-6 * bound_spectrum(&b->machine, job),
                            .ref = f->count > 1 ? c[1].name : NULL,
                            .ref_msps = f->count > 1 ? samples / c[1].seconds : 0,
                            .ref_error = c[1].error};
    report_row(&b->report, &row);
}

static int enter_ours(struct bench *b, struct field *f, struct ours_spectrum *ours,
                      const struct spectrum_job *job)
{
    char why[200] = "";
    const int err = ours_spectrum_init(ours, b->engine, job, why, sizeof why);
    if (err < 0)
        return bench_fail("plan", *why ? why : strerror(-err));
    f->contestants[f->count++] = ours_spectrum_contestant(ours);
    return 0;
}

static int compete(struct bench *b, struct field *f)
{
    int err = enter_ours(b, f, &f->ours, &f->job);
    if (err == 0 && f->job.plan.density.columns) {
        f->plain = f->job; /* shares its memory */
        f->plain.plan.density = (struct fft_density){0};
        err = enter_ours(b, f, &f->without, &f->plain);
        f->contestants[1].name = "without density";
    }
    if (err == 0 && b->fftw) {
        err = fftw_spectrum_init(&f->theirs, b->fftw, &f->job);
        f->contestants[f->count++] = fftw_spectrum_contestant(&f->theirs);
    }
    if (err == 0 && b->rival) {
        err = rival_spectrum_init(&f->rival, b->rival, &f->job);
        f->contestants[f->count++] = rival_spectrum_contestant(&f->rival);
    }
    /* Only the cpu engine does a single thread's work on the caller's. */
    const bool wall = f->job.threads > 1 || strcmp(fft_engine_name(b->engine), "cpu") != 0;
    if (err == 0)
        err = contest(f->contestants, f->count, wall);
    if (err < 0)
        return bench_fail("run", strerror(-err));
    report(b, f);
    return 0;
}

static struct fft_spectrum_plan plan_of(const struct options *o, uint32_t n)
{
    struct fft_spectrum_plan plan = {.n = n,
                                     .hop = o->hop ? o->hop : n / 2,
                                     .depth = 1,
                                     .format = o->format,
                                     .traces = o->traces};
    /* 128 dB below full scale: no noise is lower. */
    if (o->columns)
        plan.density = (struct fft_density){.columns = o->columns < n ? o->columns : n,
                                            .levels = o->levels,
                                            .step_db = 128.0F / (float)o->levels};
    return plan;
}

int bench_spectrum(struct bench *b, const struct shape *shape)
{
    const struct options *o = &b->options;
    const struct fft_spectrum_plan plan = plan_of(o, shape->n[0]);
    struct field f = {.job = {.threads = o->threads}};

    int err = spectrum_job_init(&f.job, &plan,
                                o->quick   ? QUICK_SAMPLES
                                : b->rival ? RIVAL_SAMPLES
                                           : RUN_SAMPLES);
    if (err < 0)
        bench_fail("job", strerror(-err));
    else
        err = compete(b, &f);
    fftw_spectrum_finish(&f.theirs);
    rival_spectrum_finish(&f.rival);
    ours_spectrum_finish(&f.without);
    ours_spectrum_finish(&f.ours);
    spectrum_job_finish(&f.job);
    return err;
}
