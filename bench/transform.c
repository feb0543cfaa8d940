/* transform.c - measures plain transforms, one row for each shape. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/device/gpu_transform.h"
#include "bench/engine_transform.h"
#include "bench/libs/fftw_transform.h"

static void report(struct bench *b, const struct transform_case *test_case,
                   const struct contestant *c, const struct engine_transform *engine,
                   const struct fftw_transform *fftw)
{
    const struct shape *shape = &(struct shape){
        test_case->plan.rank, {test_case->plan.n[0], test_case->plan.n[1], test_case->plan.n[2]}};
    const struct contestant *ref = b->fftw ? &c[1] : NULL;
    const double points = 1e-6 * (double)test_case->points * test_case->laps;
    const bool real = test_case->plan.type == FFT_TRANSFORM_R2C;
    char detail[160];

    snprintf(detail, sizeof detail,
             "\"scale\":\"%s\",\"in_place\":%s,\"set_bytes\":%zu,\"batch\":%u,\"ref_batch\":%u,",
             options_scale_name(test_case->plan.scale), test_case->plan.in_place ? "true" : "false",
             test_case->rows *
                 (test_case->in_bytes + (test_case->plan.in_place ? 0 : test_case->out_bytes)),
             engine->arrays.batch, fftw->arrays.batch);
    const struct row row = {
        .shape = *shape,
        .threads = test_case->threads,
        .engine = c[0].name,
        .what = options_type_name(test_case->plan.type),
        .format = real ? "f32" : "cf32",
        .detail = detail,
        .msps = points * engine->arrays.batch * engine->arrays.calls / c[0].seconds,
        .error = c[0].error,
        .bound_msps = 1e-6 * bound_transform(&b->machine, test_case),
        .ref = ref ? ref->name : NULL,
        .ref_msps = ref ? points * fftw->arrays.batch * fftw->arrays.calls / ref->seconds : 0,
        .ref_error = ref ? ref->error : 0};
    report_row(&b->report, &row);
}

static int run_contest(struct bench *b, const struct transform_case *test_case,
                       struct engine_transform *engine, struct fftw_transform *fftw)
{
    struct contestant contestants[2] = {0};
    char why[200] = "";
    int count = 1, err = engine_transform_init(engine, b->engine, test_case, why, sizeof why);
    if (err < 0)
        return bench_fail("plan", *why ? why : strerror(-err));
    contestants[0] = engine_transform_contestant(engine);
    if (b->fftw) {
        err = fftw_transform_init(fftw, b->fftw, test_case);
        contestants[count++] = fftw_transform_contestant(fftw);
    }
    const bool wall = test_case->threads > 1 || strcmp(fft_engine_name(b->engine), "cpu") != 0;
    if (err == 0)
        err = contest(contestants, count, wall);
    if (err < 0)
        return bench_fail("run", strerror(-err));
    report(b, test_case, contestants, engine, fftw);
    return 0;
}

int bench_transform(struct bench *b, const struct shape *shape)
{
    struct transform_case test_case = {0};
    struct engine_transform engine = {0};
    struct fftw_transform fftw = {0};

    if (b->gpu)
        return gpu_transform(b, shape);
    int err = transform_case_init(&test_case, &b->options, shape);
    if (err < 0)
        bench_fail("job", strerror(-err));
    else
        err = run_contest(b, &test_case, &engine, &fftw);
    fftw_transform_finish(&fftw);
    engine_transform_finish(&engine);
    transform_case_finish(&test_case);
    return err;
}
