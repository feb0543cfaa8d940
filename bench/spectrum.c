/* spectrum.c - measures fused spectra, one row for each size. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/engine_spectrum.h"
#include "bench/libs/fftw_spectrum.h"

/* Frame samples of one run: about 10 ms; fewer when another library runs on the same device. */
enum { RUN_SAMPLES = 1 << 23, OTHER_LIBRARY_SAMPLES = 1 << 20, QUICK_SAMPLES = 1 << 14 };

/* An engine, and another library or the same engine without density. */
struct contestants {
    struct spectrum_case test_case, plain;
    struct engine_spectrum engine, without;
    struct fftw_spectrum fftw;
    struct other_library_spectrum other_library;
    struct contestant list[2];
    int count;
};

static void report(struct bench *b, const struct contestants *f)
{
    const struct spectrum_case *test_case = &f->test_case;
    const struct fft_density *d = &test_case->plan.density;
    const struct contestant *c = f->list;
    const double samples = 1e-6 * test_case->plan.n * test_case->plan.max_frames;
    char detectors[40], detail[200];
    int used =
        snprintf(detail, sizeof detail, "\"hop\":%u,\"detectors\":\"%s\",", test_case->plan.hop,
                 options_detector_names(test_case->plan.detectors, detectors, sizeof detectors));
    if (d->columns)
        snprintf(detail + used, sizeof detail - (size_t)used,
                 "\"columns\":%u,\"levels\":%u,\"mhits\":%.1f,", d->columns, d->levels,
                 1e-6 * d->columns * test_case->plan.max_frames / c[0].seconds);
    const struct row row = {.shape = {1, {test_case->plan.n}},
                            .threads = test_case->threads,
                            .engine = c[0].name,
                            .what = d->columns ? "density" : "spectrum",
                            .format = fft_iq_name(test_case->plan.format),
                            .detail = detail,
                            .msps = samples / c[0].seconds,
                            .error = c[0].error,
                            .bound_msps = 1e-6 * bound_spectrum(&b->machine, test_case),
                            .ref = f->count > 1 ? c[1].name : NULL,
                            .ref_msps = f->count > 1 ? samples / c[1].seconds : 0,
                            .ref_error = c[1].error};
    report_row(&b->report, &row);
}

static int add_engine(struct bench *b, struct contestants *f, struct engine_spectrum *engine,
                      const struct spectrum_case *test_case)
{
    char why[200] = "";
    const int err = engine_spectrum_init(engine, b->engine, test_case, why, sizeof why);
    if (err < 0)
        return bench_fail("plan", *why ? why : strerror(-err));
    f->list[f->count++] = engine_spectrum_contestant(engine);
    return 0;
}

static int run_contest(struct bench *b, struct contestants *f)
{
    int err = add_engine(b, f, &f->engine, &f->test_case);
    if (err == 0 && f->test_case.plan.density.columns) {
        f->plain = f->test_case; /* shares the memory of test_case */
        f->plain.plan.density = (struct fft_density){0};
        err = add_engine(b, f, &f->without, &f->plain);
        f->list[1].name = "without density";
    }
    if (err == 0 && b->fftw) {
        err = fftw_spectrum_init(&f->fftw, b->fftw, &f->test_case);
        f->list[f->count++] = fftw_spectrum_contestant(&f->fftw);
    }
    if (err == 0 && b->other_library) {
        err = other_library_spectrum_init(&f->other_library, b->other_library, &f->test_case);
        f->list[f->count++] = other_library_spectrum_contestant(&f->other_library);
    }
    /* The cpu engine alone runs a single thread's work on the calling thread. */
    const bool wall = f->test_case.threads > 1 || strcmp(fft_engine_name(b->engine), "cpu") != 0;
    if (err == 0)
        err = contest(f->list, f->count, wall);
    if (err < 0)
        return bench_fail("run", strerror(-err));
    report(b, f);
    return 0;
}

static struct fft_spectrum_config plan_of(const struct options *o, uint32_t n)
{
    struct fft_spectrum_config plan = {.n = n,
                                       .hop = o->hop ? o->hop : n / 2,
                                       .depth = 1,
                                       .format = o->format,
                                       .detectors = o->detectors};
    /* 128 dB below full scale is lower than any noise. */
    if (o->columns)
        plan.density = (struct fft_density){.columns = o->columns < n ? o->columns : n,
                                            .levels = o->levels,
                                            .step_db = 128.0F / (float)o->levels};
    return plan;
}

int bench_spectrum(struct bench *b, const struct shape *shape)
{
    const struct options *o = &b->options;
    const struct fft_spectrum_config plan = plan_of(o, shape->n[0]);
    struct contestants f = {.test_case = {.threads = o->threads}};

    int err = spectrum_case_init(&f.test_case, &plan,
                                 o->quick           ? QUICK_SAMPLES
                                 : b->other_library ? OTHER_LIBRARY_SAMPLES
                                                    : RUN_SAMPLES);
    if (err < 0)
        bench_fail("job", strerror(-err));
    else
        err = run_contest(b, &f);
    fftw_spectrum_finish(&f.fftw);
    other_library_spectrum_finish(&f.other_library);
    engine_spectrum_finish(&f.without);
    engine_spectrum_finish(&f.engine);
    spectrum_case_finish(&f.test_case);
    return err;
}
