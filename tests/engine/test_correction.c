/*
 * test_correction.c - compares every engine's spectra of corrected samples with the reference's.
 *
 * The reference reads samples that this file corrects in double precision, by the formula of fft.h.
 * A bin may be off by 4e-6 of its own power and of the mean power, as in spectrum_case.c.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"
#include "tests/support/engine/test_engines.h"

/* An offset of -20 dBFS, 1 dB and 5 degrees, and stronger ones with other signs. */
static const struct fft_correction corrections[] = {
    {0.08F, -0.06F, 1.0629F, 0.0F, 0.9473F},
    {0.0F, 0.0F, 1.0F, -0.0874F, 0.8946F},
    {-0.2F, 0.3F, 0.9F, 0.21F, -1.3F},
    {0, 0, 1, 0, 1},
};
enum { CORRECTIONS = sizeof corrections / sizeof corrections[0] };

/* As cf32; the error of a float is far below the tolerance. */
static struct fft_iq *corrected_samples(const struct fft_correction *c, enum fft_iq_format format,
                                        const void *raw, uint64_t samples)
{
    struct fft_iq *out = malloc((size_t)samples * sizeof *out);
    for (uint64_t i = 0; i < samples; i++) {
        const struct complex64 x = reference_sample(format, raw, i);
        const double re = x.re - (double)c->dc_i, im = x.im - (double)c->dc_q;
        out[i] = (struct fft_iq){(float)((double)c->ii * re),
                                 (float)((double)c->qi * re + (double)c->qq * im)};
    }
    return out;
}

/* Batch b of a run has correction b, modulo their number. */
static void reference_mean(const struct fft_spectrum_config *plan, const void *raw,
                           uint32_t batches, double *mean)
{
    const uint64_t samples = (uint64_t)(batches * plan->max_frames - 1) * plan->hop + plan->n;
    struct fft_spectrum_config floats = *plan;
    double *bins = malloc(plan->n * sizeof *bins);
    floats.format = FFT_IQ_CF32;
    memset(mean, 0, plan->n * sizeof *mean);
    for (uint32_t c = 0; c < CORRECTIONS && c < batches; c++) {
        struct fft_iq *x = corrected_samples(&corrections[c], plan->format, raw, samples);
        for (uint32_t batch = c; batch < batches; batch += CORRECTIONS)
            for (uint32_t i = 0; i < plan->max_frames; i++) {
                const uint32_t frame = batch * plan->max_frames + i;
                reference_power(&floats, x, (uint64_t)frame * plan->hop, bins);
                for (uint32_t k = 0; k < plan->n; k++)
                    mean[k] += bins[k] / (batches * plan->max_frames);
            }
        free(x);
    }
    free(bins);
}

static void collect(struct fft_spectrum *s, struct fft_fold *fold)
{
    struct fft_partial partial;
    assert_int_equal(fft_spectrum_poll(s, &partial, -1), 1);
    fft_fold_add(fold, &partial);
    fft_spectrum_release(s);
}

/* As many batches are in flight as the plan allows. */
static void run(struct fft_engine *e, const struct fft_spectrum_config *plan, const void *raw,
                uint32_t batches, float *mean)
{
    const size_t bytes = (size_t)plan->max_frames * plan->hop * fft_iq_bytes(plan->format);
    struct fft_spectrum *s;
    struct fft_fold *fold;
    char why[200] = "";
    if (fft_spectrum_create(&s, e, plan, why, sizeof why) != 0)
        fail_msg("%s", why);
    assert_int_equal(fft_fold_create(&fold, plan), 0);
    for (uint32_t b = 0; b < batches; b++) {
        if (b >= plan->depth)
            collect(s, fold);
        if (plan->corrected)
            assert_int_equal(fft_spectrum_correct(s, &corrections[b % CORRECTIONS]), 0);
        assert_int_equal(fft_spectrum_submit(s, (const char *)raw + b * bytes,
                                             (uint64_t)b * plan->max_frames * plan->hop,
                                             plan->max_frames, 0),
                         0);
    }
    for (uint32_t b = 0; b < batches && b < plan->depth; b++)
        collect(s, fold);
    fft_fold_detector(fold, FFT_DETECTOR_MEAN, mean);
    fft_fold_destroy(fold);
    fft_spectrum_destroy(s);
}

static void check_mean(const struct fft_spectrum_config *plan, const float *got, const double *want)
{
    const double tolerance = 4e-6;
    double all = 0;
    for (uint32_t k = 0; k < plan->n; k++)
        all += want[k] / plan->n;
    for (uint32_t k = 0; k < plan->n; k++)
        if (!(fabs((double)got[k] - want[k]) <= tolerance * (want[k] + all)))
            fail_msg("n %u %s bin %u: %.9g, not %.9g (mean %.3g)", plan->n,
                     fft_iq_name(plan->format), k, (double)got[k], want[k], all);
}

/* A strategy that options force need not have every length. */
static bool does(struct fft_engine *e, const struct fft_spectrum_config *plan)
{
    struct fft_spectrum *s;
    if (!getenv("FFTD_TEST_OPTIONS"))
        return test_engine_does(e, plan);
    const int err = fft_spectrum_create(&s, e, plan, NULL, 0);
    if (err < 0)
        assert_int_equal(err, -ENOTSUP);
    fft_spectrum_destroy(s);
    return err == 0;
}

static void conforms(struct fft_engine *e, uint32_t n, enum fft_iq_format format,
                     unsigned detectors, uint32_t batches)
{
    struct fft_spectrum_config plan = {.n = n,
                                       .hop = n / 2,
                                       .max_frames = n > 4096 ? 1 : 3,
                                       .depth = 2,
                                       .format = format,
                                       .detectors = FFT_DETECTOR_MEAN | detectors,
                                       .corrected = true};
    float *window = test_window(FFT_WINDOW_HANN, n);
    plan.window = window;
    if (does(e, &plan)) {
        const uint64_t samples = (uint64_t)(batches * plan.max_frames - 1) * plan.hop + n;
        void *raw = test_noise(format, samples, n);
        float *got = malloc(n * sizeof *got);
        double *want = malloc(n * sizeof *want);
        run(e, &plan, raw, batches, got);
        reference_mean(&plan, raw, batches, want);
        check_mean(&plan, got, want);
        free(want);
        free(got);
        free(raw);
    }
    free(window);
}

/* Its code for a size contains the code for a format. Other engines take a while to compile it. */
static bool is_cpu(const struct fft_engine *e)
{
    return strcmp(fft_engine_name(e), "cpu") == 0;
}

/* Up to the sizes whose frames the cpu engine divides among its threads. */
#ifndef FFTD_TEST_LARGEST
#define FFTD_TEST_LARGEST 131072
#endif

static void samples_of_every_format_are_corrected_in_frames_of_every_size(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    unsigned turn = 0;
    for (uint32_t n = FFT_SPECTRUM_MIN_N; n <= FFTD_TEST_LARGEST; n *= 2, turn++)
        for (unsigned format = 0; format < FFT_IQ_FORMATS; format++)
            if ((is_cpu(e) && !sweeps_are_sparse()) || format == turn % FFT_IQ_FORMATS)
                conforms(e, n, (enum fft_iq_format)format, 0, n > 4096 ? 2 : 5);
    fft_engine_close(e);
}

static void every_choice_of_detectors_reads_corrected_samples(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    const unsigned step = is_cpu(e) ? 1 : (1U << FFT_DETECTORS) - 1; /* none other, or all */
    unsigned index = 0;
    for (unsigned detectors = 0; detectors < 1U << FFT_DETECTORS; detectors += step)
        for (uint32_t n = 64; n <= 1024; n *= is_cpu(e) ? 2 : 16)
            if (sweep_takes(index++, 3))
                conforms(e, n, FFT_IQ_CS16, detectors, 3);
    fft_engine_close(e);
}

/* A correction that changes nothing leaves every byte. */
static void without_a_correction_the_bytes_are_those_of_an_uncorrected_plan(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (unsigned format = 0; format < FFT_IQ_FORMATS; format++) {
        enum { N = 1024 };
        float *window = test_window(FFT_WINDOW_HANN, N), plain[N], corrected[N];
        struct fft_spectrum_config plan = {.n = N,
                                           .hop = N / 2,
                                           .max_frames = 4,
                                           .depth = 1,
                                           .format = (enum fft_iq_format)format,
                                           .detectors = FFT_DETECTOR_MEAN,
                                           .window = window};
        void *raw = test_noise(plan.format, 4 * N, 1);
        plan.corrected = true;
        if (test_engine_does(e, &plan)) {
            plan.corrected = false;
            struct fft_fold *fold = test_run(e, &plan, raw, 4);
            fft_fold_detector(fold, FFT_DETECTOR_MEAN, plain);
            fft_fold_destroy(fold);
            plan.corrected = true;
            fold = test_run(e, &plan, raw, 4);
            fft_fold_detector(fold, FFT_DETECTOR_MEAN, corrected);
            fft_fold_destroy(fold);
            assert_memory_equal(plain, corrected, sizeof plain);
        }
        free(raw);
        free(window);
    }
    fft_engine_close(e);
}

static void a_correction_must_be_planned_and_finite(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    float *window = test_window(FFT_WINDOW_HANN, 1024);
    struct fft_spectrum_config plan = {.n = 1024,
                                       .hop = 1024,
                                       .max_frames = 1,
                                       .depth = 1,
                                       .format = FFT_IQ_CS16,
                                       .detectors = FFT_DETECTOR_MEAN,
                                       .window = window};
    struct fft_spectrum *s;
    struct fft_correction bad = corrections[0];
    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    assert_int_equal(fft_spectrum_correct(s, &corrections[0]), -EINVAL);
    fft_spectrum_destroy(s);
    plan.corrected = true;
    if (test_engine_does(e, &plan)) {
        assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
        assert_int_equal(fft_spectrum_correct(s, &corrections[0]), 0);
        bad.qi = NAN;
        assert_int_equal(fft_spectrum_correct(s, &bad), -EINVAL);
        fft_spectrum_destroy(s);
    }
    free(window);
    fft_engine_close(e);
}

static int run_correction_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(samples_of_every_format_are_corrected_in_frames_of_every_size,
                                  state),
        cmocka_unit_test_prestate(every_choice_of_detectors_reads_corrected_samples, state),
        cmocka_unit_test_prestate(without_a_correction_the_bytes_are_those_of_an_uncorrected_plan,
                                  state),
        cmocka_unit_test_prestate(a_correction_must_be_planned_and_finite, state),
    };
    print_message("engine %s %s, %u threads\n", state->engine, state->isa ? state->isa : "",
                  state->threads);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* ---- an engine that cannot --------------------------------------------------------------- */

static int open_nothing(struct fft_engine *e, struct fft_reason why)
{
    (void)e;
    (void)why;
    return 0;
}

static void close_nothing(struct fft_engine *e)
{
    (void)e;
}

static void an_engine_that_cannot_correct_refuses_such_a_plan(void **state)
{
    static const struct engine_ops ops = {
        .name = "plain", .open = open_nothing, .close = close_nothing};
    struct fft_engine e = {.ops = &ops};
    const float window[64] = {0};
    const struct fft_spectrum_config plan = {.n = 64,
                                             .hop = 64,
                                             .max_frames = 1,
                                             .depth = 1,
                                             .detectors = FFT_DETECTOR_MEAN,
                                             .window = window,
                                             .corrected = true};
    struct fft_spectrum *s;
    char why[100];
    (void)state;
    assert_int_equal(fft_spectrum_create(&s, &e, &plan, why, sizeof why), -ENOTSUP);
    assert_string_equal(why, "plain: it cannot correct samples");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_engine_that_cannot_correct_refuses_such_a_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) + test_engine_each(run_correction_tests);
}
