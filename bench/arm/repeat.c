/*
 * repeat.c - arm-bench-repeat: one operation a number of times, for a counter of instructions.
 *
 *     arm-bench-repeat OPERATION POINTS TIMES
 *
 * transform: a forward transform, complex, out of place, on the cpu engine in one thread. fftw,
 * fftw-measure: the same on FFTW, with a plan of FFTW_ESTIMATE or FFTW_MEASURE; the latter stays in
 * the file $ARM_BENCH_WISDOM, so that counted runs need not measure. mean, mean-max, all: a batch
 * of FRAMES power spectra of cs16 samples, with those detectors.
 *
 * The difference between two numbers of times is the cost of the operation without that of plans
 * (count.sh).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/libs/fftw.h"
#include "fft/fft.h"
#include "fft/window.h"

enum { FRAMES = 64, ALIGNMENT = 64 };

struct job {
    uint32_t n, times;
    unsigned option; /* of the operation */
};

static int say(const char *what, int err, const char *why)
{
    fprintf(stderr, "arm-bench-repeat: %s: %s\n", what, why && *why ? why : strerror(-err));
    return err;
}

/* Noise of small integers: no denormals, no overflow. NULL: no memory. */
static void *make_noise(size_t count, bool floats)
{
    const size_t bytes = count * (floats ? sizeof(float) : sizeof(int16_t));
    void *noise = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    uint32_t state = 1;
    for (size_t i = 0; noise && i < count; i++) {
        state = state * 1664525U + 1013904223U;
        const int16_t value = (int16_t)(state >> 20);
        if (floats)
            ((float *)noise)[i] = value;
        else
            ((int16_t *)noise)[i] = value;
    }
    return noise;
}

static int open_engine(struct fft_engine **out)
{
    char why[200];
    const struct fft_engine_config config = {.name = "cpu", .threads = 1};
    const int err = fft_engine_open(out, &config, why, sizeof why);
    return err < 0 ? say("engine", err, why) : 0;
}

/* ---- transforms --------------------------------------------------------------------------- */

static int run_own(const struct job *job, const struct fft_iq *in, struct fft_iq *out)
{
    char why[200];
    const struct fft_transform_config plan = {
        .type = FFT_TRANSFORM_FORWARD, .rank = 1, .n = {job->n}, .batch = 1};
    struct fft_engine *engine = NULL;
    struct fft_transform *transform = NULL;
    int err = open_engine(&engine);
    if (err == 0) {
        err = fft_transform_create(&transform, engine, &plan, why, sizeof why);
        if (err < 0)
            say("transform", err, why);
    }
    for (uint32_t i = 0; err == 0 && i < job->times; i++)
        err = fft_transform_execute(transform, in, out);
    fft_transform_destroy(transform);
    fft_engine_close(engine);
    return err;
}

static int run_fftw(const struct job *job, struct fft_iq *in, struct fft_iq *out)
{
    char why[200];
    const char *wisdom = getenv("ARM_BENCH_WISDOM");
    const int n = (int)job->n;
    struct fftw *fftw = NULL;
    int err = fftw_open(&fftw, false, why, sizeof why);
    if (err < 0)
        return say("FFTW", err, why);
    if (wisdom && job->option == FFTW_MEASURE)
        fftw->api.load_wisdom(wisdom);
    fftw_plan plan = fftw->api.plan_c2c(1, &n, 1, in, NULL, 1, n, out, NULL, 1, n, FFTW_FORWARD,
                                        job->option | FFTW_PRESERVE_INPUT);
    if (wisdom && job->option == FFTW_MEASURE)
        fftw->api.save_wisdom(wisdom);
    for (uint32_t i = 0; plan && i < job->times; i++)
        fftw->api.run_c2c(plan, in, out);
    if (plan)
        fftw->api.destroy(plan);
    fftw_close(fftw);
    return plan ? 0 : say("FFTW", -EINVAL, "no plan");
}

enum { OWN = -1 };

static int run_transform(const struct job *job)
{
    struct fft_iq *in = make_noise((size_t)2 * job->n, true);
    struct fft_iq *out = make_noise((size_t)2 * job->n, true);
    int err = in && out ? 0 : say("noise", -ENOMEM, NULL);
    if (err == 0)
        err = job->option == (unsigned)OWN ? run_own(job, in, out) : run_fftw(job, in, out);
    free(in);
    free(out);
    return err;
}

/* ---- spectra ------------------------------------------------------------------------------ */

static int run_batches(const struct job *job, struct fft_spectrum *spectrum, const void *samples)
{
    int err = 0;
    for (uint32_t i = 0; err == 0 && i < job->times; i++) {
        struct fft_partial partial;
        err = fft_spectrum_submit(spectrum, samples, (uint64_t)i * FRAMES * job->n, FRAMES, 0);
        if (err == 0 && fft_spectrum_poll(spectrum, &partial, -1) != 1)
            err = -EIO;
        if (err == 0)
            fft_spectrum_release(spectrum);
    }
    return err;
}

static int run_spectrum(const struct job *job)
{
    char why[200] = "";
    float *window = malloc(job->n * sizeof *window);
    void *samples = make_noise((size_t)2 * FRAMES * job->n, false);
    struct fft_engine *engine = NULL;
    struct fft_spectrum *spectrum = NULL;
    int err = window && samples ? open_engine(&engine) : -ENOMEM;
    for (uint32_t i = 0; err == 0 && i < job->n; i++)
        window[i] = 1.0F / (float)job->n;
    const struct fft_spectrum_config plan = {.n = job->n,
                                             .hop = job->n,
                                             .max_frames = FRAMES,
                                             .depth = 1,
                                             .format = FFT_IQ_CS16,
                                             .detectors = job->option,
                                             .window = window};
    if (err == 0)
        err = fft_spectrum_create(&spectrum, engine, &plan, why, sizeof why);
    if (err == 0)
        err = run_batches(job, spectrum, samples);
    if (err < 0)
        say("spectrum", err, why);
    fft_spectrum_destroy(spectrum);
    fft_engine_close(engine);
    free(samples);
    free(window);
    return err;
}

/* ---- operations --------------------------------------------------------------------------- */

static const struct operation {
    const char *name;
    int (*run)(const struct job *job);
    unsigned option;
} operations[] = {
    {"transform", run_transform, (unsigned)OWN},
    {"fftw", run_transform, FFTW_ESTIMATE},
    {"fftw-measure", run_transform, FFTW_MEASURE},
    {"mean", run_spectrum, FFT_DETECTOR_MEAN},
    {"mean-max", run_spectrum, FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX},
    {"all", run_spectrum,
     FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 4 && i < sizeof operations / sizeof operations[0]; i++) {
        const struct job job = {(uint32_t)strtoul(argv[2], NULL, 10),
                                (uint32_t)strtoul(argv[3], NULL, 10), operations[i].option};
        if (strcmp(argv[1], operations[i].name) == 0 && job.n > 1 && job.n <= 1U << 24)
            return operations[i].run(&job) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    fprintf(stderr, "arm-bench-repeat OPERATION POINTS TIMES, with OPERATION one of");
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        fprintf(stderr, " %s", operations[i].name);
    fprintf(stderr, "\n");
    return 2;
}
