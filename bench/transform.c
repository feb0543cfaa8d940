/* transform.c - rows of plain transforms. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/device/gpu_transform.h"
#include "bench/engine_transform.h"
#include "bench/libs/fftw_transform.h"

static void report(struct bench *b, const struct transform_job *job, const struct contestant *c,
                   const struct ours_transform *ours, const struct fftw_transform *theirs)
{
    const struct shape *shape =
        &(struct shape){job->plan.rank, {job->plan.n[0], job->plan.n[1], job->plan.n[2]}};
    const struct contestant *ref = b->fftw ? &c[1] : NULL;
    const double points = 1e-6 * (double)job->points * job->laps;
    const bool real = job->plan.type == FFT_TRANSFORM_R2C;
    char detail[160];

    snprintf(detail, sizeof detail,
             "\"in_place\":%s,\"set_bytes\":%zu,\"batch\":%u,\"ref_batch\":%u,",
             job->plan.in_place ? "true" : "false",
             job->rows * (job->in_bytes + (job->plan.in_place ? 0 : job->out_bytes)),
             ours->arena.batch, theirs->arena.batch);
    const struct row row = {
        .shape = *shape,
        .threads = job->threads,
        .engine = c[0].name,
        .what = options_type_name(job->plan.type),
        .format = real ? "f32" : "cf32",
        .detail = detail,
        .msps = points * ours->arena.batch * ours->arena.calls / c[0].seconds,
        .error = c[0].error,
        .bound_msps = 1e-6 * bound_transform(&b->machine, job),
        .ref = ref ? ref->name : NULL,
        .ref_msps = ref ? points * theirs->arena.batch * theirs->arena.calls / ref->seconds : 0,
        .ref_error = ref ? ref->error : 0};
    report_row(&b->report, &row);
}

static int compete(struct bench *b, const struct transform_job *job, struct ours_transform *ours,
                   struct fftw_transform *theirs)
{
    struct contestant contestants[2] = {0};
    char why[200] = "";
    int count = 1, err = ours_transform_init(ours, b->engine, job, why, sizeof why);
    if (err < 0)
        return bench_fail("plan", *why ? why : strerror(-err));
    contestants[0] = ours_transform_contestant(ours);
    if (b->fftw) {
        err = fftw_transform_init(theirs, b->fftw, job);
        contestants[count++] = fftw_transform_contestant(theirs);
    }
    const bool wall = job->threads > 1 || strcmp(fft_engine_name(b->engine), "cpu") != 0;
    if (err == 0)
        err = contest(contestants, count, wall);
    if (err < 0)
        return bench_fail("run", strerror(-err));
    report(b, job, contestants, ours, theirs);
    return 0;
}

int bench_transform(struct bench *b, const struct shape *shape)
{
    struct transform_job job = {0};
    struct ours_transform ours = {0};
    struct fftw_transform theirs = {0};

    if (b->gpu)
        return gpu_transform(b, shape);
    int err = transform_job_init(&job, &b->options, shape);
    if (err < 0)
        bench_fail("job", strerror(-err));
    else
        err = compete(b, &job, &ours, &theirs);
    fftw_transform_finish(&theirs);
    ours_transform_finish(&ours);
    transform_job_finish(&job);
    return err;
}
