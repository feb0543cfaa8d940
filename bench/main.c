/*
 * main.c - fft-bench: measures the library's engines on this machine, alone or against FFTW.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/daemon/daemon.h"
#include "bench/plan.h"

static int open_all(struct bench *b)
{
    const struct options *o = &b->options;
    const struct fft_engine_config config = {o->engine, o->threads, o->isa, o->engine_options};
    char why[400];

    if (fft_engine_open(&b->engine, &config, why, sizeof why) < 0)
        return bench_fail("engine", why);
    if (o->versus == VERSUS_FFTW && fftw_open(&b->fftw, o->patient, why, sizeof why) < 0)
        return bench_fail("--vs fftw", why);
    if (o->verb == VERB_TRANSFORM && strcmp(fft_engine_name(b->engine), "cuda") == 0 &&
        gpu_open(&b->gpu, why, sizeof why) < 0)
        return bench_fail("device", why);
    if (o->versus == VERSUS_CUFFT && cufft_open(&b->cufft, b->gpu, why, sizeof why) < 0)
        return bench_fail("--vs cufft", why);
    if ((o->versus == VERSUS_CLFFT || o->versus == VERSUS_VKFFT) &&
        other_library_open(&b->other_library, o->versus, o->engine, o->engine_options, why,
                           sizeof why) < 0)
        return bench_fail("--vs", why);
    machine_measure(&b->machine);
    const char *opponent = b->fftw            ? b->fftw->name
                           : b->cufft         ? cufft_name(b->cufft)
                           : b->other_library ? other_library_name(b->other_library)
                                              : "";
    fprintf(stderr, "%s%s%s; a core: %.0f G operations/s, of multiply-adds alone %.0f G\n",
            fft_engine_describe(b->engine), *opponent ? " against " : "", opponent,
            1e-9 * b->machine.units.all, 1e-9 * b->machine.units.multiplying);
    return 0;
}

static int measure(struct bench *b)
{
    static int (*const rows[])(struct bench * b, const struct shape *shape) = {
        [VERB_SPECTRUM] = bench_spectrum, [VERB_TRANSFORM] = bench_transform};
    int err = 0;

    report_begin(&b->report, b->options.json);
    for (uint32_t i = 0; err == 0 && i < b->options.count; i++)
        err = rows[b->options.verb](b, &b->options.sizes[i]);
    report_end(&b->report);
    return err;
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
    if (b.options.verb == VERB_DAEMON)
        return bench_daemon(&b.options) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
    if (b.options.verb == VERB_PLAN)
        return plan_print(&b.options) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
    err = open_all(&b);
    if (err == 0)
        err = measure(&b);
    fftw_close(b.fftw);
    cufft_close(b.cufft);
    other_library_close(b.other_library);
    gpu_close(b.gpu);
    fft_engine_close(b.engine);
    return err < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
