/* test_conformance.c - compares every engine's spectra with the reference (spectrum_case.h). */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/engine/capabilities.h"
#include "tests/support/engine/host_device.h"
#include "tests/support/engine/spectrum_case.h"

static const unsigned all_detectors =
    FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE;

/* Of a sparse sweep (test_engines.h): coprime to the numbers of formats, windows and detectors.
 * From 64K on, threads run the same code. */
enum { SPARSE_STEP = 7, SPARSE_LARGEST = 131072 };

static void every_format_detector_and_window_matches_the_reference(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    unsigned index = 0;
    for (unsigned format = 0; format < FFT_IQ_FORMATS; format++)
        for (unsigned kind = 0; kind < FFT_WINDOW_KINDS; kind++)
            for (unsigned detectors = 1; detectors <= all_detectors; detectors++) {
                if (!sweep_takes(index++, SPARSE_STEP))
                    continue;
                const struct fft_spectrum_config plan = {.n = 256,
                                                         .hop = 128,
                                                         .max_frames = 7,
                                                         .format = (enum fft_iq_format)format,
                                                         .detectors = detectors};
                spectrum_conforms(e, &plan, (enum fft_window_kind)kind, 16);
            }
    fft_engine_close(e);
}

/*
 * The largest sizes take minutes under ThreadSanitizer, whose threads run the same code from 64K
 * on. They take minutes on emulated QPUs as well.
 */
#ifdef FFTD_TEST_LARGEST
static const uint32_t largest = FFTD_TEST_LARGEST;
#elif defined(__SANITIZE_THREAD__)
static const uint32_t largest = 65536;
#else
static const uint32_t largest = FFT_SPECTRUM_MAX_N;
#endif

static void every_size_matches_the_reference(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (uint32_t n = FFT_SPECTRUM_MIN_N; n <= largest; n *= 2) {
        if (n > SPARSE_LARGEST && sweeps_are_sparse())
            break;
        const uint32_t frames = n <= 4096 ? 9 : n <= 262144 ? 3 : 1;
        const enum fft_iq_format format = n > 262144 ? FFT_IQ_CS16
                                          : n > 4096 ? FFT_IQ_CF32
                                                     : FFT_IQ_CU8;
        const struct fft_spectrum_config plan = {
            .n = n, .hop = n / 2, .max_frames = 4, .format = format, .detectors = all_detectors};
        spectrum_conforms(e, &plan, FFT_WINDOW_BLACKMAN_HARRIS, frames);
    }
    fft_engine_close(e);
}

static void every_size_reads_every_format(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    unsigned index = 0;
    for (uint32_t n = FFT_SPECTRUM_MIN_N; n <= 131072; n *= 2)
        for (unsigned format = 0; format < FFT_IQ_FORMATS; format++) {
            if (!sweep_takes(index++, 3))
                continue;
            const struct fft_spectrum_config plan = {.n = n,
                                                     .hop = n,
                                                     .max_frames = 2,
                                                     .format = (enum fft_iq_format)format,
                                                     .detectors = FFT_DETECTOR_MEAN};
            spectrum_conforms(e, &plan, FFT_WINDOW_HANN, 2);
        }
    fft_engine_close(e);
}

static void any_hop_matches_the_reference(void **state)
{
    static const uint32_t hops[] = {1, 3, 77, 512, 1023, 1024};
    struct fft_engine *e = test_engine_open(state);
    for (unsigned format = 0; format < FFT_IQ_FORMATS; format++)
        for (size_t i = 0; i < sizeof hops / sizeof hops[0]; i++) {
            if (!sweep_takes(format + (unsigned)i, 3))
                continue;
            const struct fft_spectrum_config plan = {.n = 1024,
                                                     .hop = hops[i],
                                                     .max_frames = 5,
                                                     .format = (enum fft_iq_format)format,
                                                     .detectors = all_detectors};
            spectrum_conforms(e, &plan, FFT_WINDOW_NUTTALL, 12);
        }
    fft_engine_close(e);
}

/* The frames are so long that the cpu engine divides each one among its threads. */
static void any_number_of_long_frames_matches_the_reference(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (uint32_t frames = 1; frames <= 5; frames++) {
        if (!sweep_takes(frames - 1, 2))
            continue;
        const struct fft_spectrum_config plan = {.n = 131072,
                                                 .hop = 100000,
                                                 .max_frames = frames,
                                                 .format = FFT_IQ_CS16,
                                                 .detectors = all_detectors,
                                                 .density = {100, 61, -40, 0.5F}};
        spectrum_conforms(e, &plan, FFT_WINDOW_HANN, frames);
    }
    fft_engine_close(e);
}

static void many_frames_keep_the_sum_exact(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    const struct fft_spectrum_config plan = {.n = 64,
                                             .hop = 8,
                                             .max_frames = 20000,
                                             .format = FFT_IQ_CS16,
                                             .detectors = FFT_DETECTOR_MEAN};
    spectrum_conforms(e, &plan, FFT_WINDOW_HANN, 20000);
    fft_engine_close(e);
}

static void density_counts_every_frame_once_a_column(void **state)
{
    static const uint32_t columns[] = {1, 7, 32, 64, 100, 128, 256, 512, 1000, 1024};
    static const unsigned detectors[] = {0, FFT_DETECTOR_MAX, FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX};
    struct fft_engine *e = test_engine_open(state);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        const struct fft_density density = {columns[i], 61, -20,
                                            0.5F}; /* noise reaches both end rows */
        const struct fft_spectrum_config plan = {.n = 1024,
                                                 .hop = 512,
                                                 .max_frames = 9,
                                                 .format = FFT_IQ_CS16,
                                                 .detectors = detectors[i % 3],
                                                 .density = density};
        spectrum_conforms(e, &plan, FFT_WINDOW_HANN, 40);
    }
    fft_engine_close(e);
}

/*
 * QPUs round toward zero. Their window compensates for the power that noise loses
 * (fft/qpu/qpu_plan.h). An impulse needs no sums and loses less.
 */
static double impulse_tolerance(const struct fft_engine *e)
{
    return strncmp(fft_engine_name(e), "qpu", 3) == 0 ? 3e-6 : 1e-6;
}

/* A sample of 1 at time i has a flat spectrum of window[i]^2. */
static void an_impulse_is_flat(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (uint32_t n = FFT_SPECTRUM_MIN_N; n <= 65536; n *= 4) {
        float *window = test_window(FFT_WINDOW_HAMMING, n);
        const struct fft_spectrum_config plan = {.n = n,
                                                 .hop = n,
                                                 .max_frames = 1,
                                                 .depth = 1,
                                                 .format = FFT_IQ_CF32,
                                                 .window = window,
                                                 .detectors = FFT_DETECTOR_SAMPLE};
        if (!test_engine_does(e, &plan)) {
            free(window);
            continue;
        }
        float *got = malloc(n * sizeof *got);
        struct fft_iq *raw = calloc(n, sizeof *raw);
        const uint32_t at = n / 2 + 3;
        raw[at].im = 1;
        struct fft_fold *fold = test_run(e, &plan, raw, 1);
        fft_fold_detector(fold, FFT_DETECTOR_SAMPLE, got);
        const double want = (double)window[at] * (double)window[at];
        for (uint32_t k = 0; k < n; k++)
            assert_true(fabs((double)got[k] - want) < impulse_tolerance(e) * want);
        fft_fold_destroy(fold);
        free(raw);
        free(got);
        free(window);
    }
    fft_engine_close(e);
}

/* Runs one frame of n samples with a rectangular window. */
static void run_rect(struct fft_engine *e, uint32_t n, const struct fft_iq *raw, float *out)
{
    float *window = test_window(FFT_WINDOW_RECT, n);
    const struct fft_spectrum_config plan = {.n = n,
                                             .hop = n,
                                             .max_frames = 1,
                                             .depth = 1,
                                             .format = FFT_IQ_CF32,
                                             .window = window,
                                             .detectors = FFT_DETECTOR_MEAN};
    struct fft_fold *fold = test_run(e, &plan, raw, 1);
    fft_fold_detector(fold, FFT_DETECTOR_MEAN, out);
    fft_fold_destroy(fold);
    free(window);
}

/*
 * y[j] = 2 x[(j + n/3) mod n]: the shift rotates only phases; twice the amplitude gives four times
 * the power.
 */
static void a_shift_keeps_power_and_double_amplitude_quadruples_it(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (uint32_t n = 256; n <= 65536; n *= 4) {
        struct fft_iq *x = test_noise(FFT_IQ_CF32, n, n), *y = malloc(n * sizeof *y);
        float *of_x = malloc(n * sizeof *of_x), *of_y = malloc(n * sizeof *of_y);
        struct fft_spectrum_config plan = {.n = n,
                                           .hop = n,
                                           .max_frames = 1,
                                           .depth = 1,
                                           .format = FFT_IQ_CF32,
                                           .window = of_x,
                                           .detectors = FFT_DETECTOR_MEAN};
        for (uint32_t j = 0; j < n; j++) {
            const struct fft_iq v = x[(j + n / 3) % n];
            y[j] = (struct fft_iq){2 * v.re, 2 * v.im};
            of_x[j] = 0;
        }
        if (test_engine_does(e, &plan)) {
            run_rect(e, n, x, of_x);
            run_rect(e, n, y, of_y);
            double mean = 0;
            for (uint32_t k = 0; k < n; k++)
                mean += 4 * (double)of_x[k] / n;
            for (uint32_t k = 0; k < n; k++) /* both round as in spectrum_case.c */
                assert_near(of_y[k], 4 * (double)of_x[k], 8e-6 * (4 * (double)of_x[k] + mean));
        }
        free(of_y);
        free(of_x);
        free(y);
        free(x);
    }
    fft_engine_close(e);
}

/* The table must list what each engine of the build has to support. */
static void the_table_has_a_row_for_every_engine(void **state)
{
    (void)state;
    for (size_t i = 0; fft_engine_list[i]; i++)
        if (!capabilities_of(fft_engine_list[i]->name))
            fail_msg("%s has no row in capabilities.c", fft_engine_list[i]->name);
}

/* This device refuses everything that its row omits; the tests above must accept that. */
static void an_engine_may_refuse_what_its_row_omits(void **state)
{
    struct test_engine limited = {.ops = device_ops(DEVICE_LIMITED), .threads = 1};
    void *tested = &limited;
    float *window = test_window(FFT_WINDOW_RECT, 1024);
    struct fft_spectrum_config plan = {.n = 1024,
                                       .hop = 1024,
                                       .max_frames = 1,
                                       .depth = 1,
                                       .format = FFT_IQ_CS16,
                                       .window = window,
                                       .detectors = FFT_DETECTOR_MEAN};
    struct fft_transform_config transform = {.rank = 1, .n = {1024}, .batch = 1};
    (void)state;
    limited.engine = limited.ops->name;
    struct fft_engine *e = test_engine_open(&tested);
    assert_true(test_engine_does(e, &plan));
    plan.format = FFT_IQ_CU8;
    assert_false(test_engine_does(e, &plan));
    assert_true(test_engine_transforms(e, &transform));
    transform.n[0] = 1000;
    assert_false(test_engine_transforms(e, &transform));
    fft_engine_close(e);
    free(window);
}

static int run_conformance_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(every_format_detector_and_window_matches_the_reference, state),
        cmocka_unit_test_prestate(every_size_matches_the_reference, state),
        cmocka_unit_test_prestate(every_size_reads_every_format, state),
        cmocka_unit_test_prestate(any_hop_matches_the_reference, state),
        cmocka_unit_test_prestate(any_number_of_long_frames_matches_the_reference, state),
        cmocka_unit_test_prestate(many_frames_keep_the_sum_exact, state),
        cmocka_unit_test_prestate(density_counts_every_frame_once_a_column, state),
        cmocka_unit_test_prestate(an_impulse_is_flat, state),
        cmocka_unit_test_prestate(a_shift_keeps_power_and_double_amplitude_quadruples_it, state),
    };
    print_message("engine %s %s, %u threads\n", state->engine, state->isa ? state->isa : "",
                  state->threads);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_a_row_for_every_engine),
        cmocka_unit_test(an_engine_may_refuse_what_its_row_omits),
    };
    const int failures =
        cmocka_run_group_tests(tests, NULL, NULL) + test_engine_each(run_conformance_tests);
    spectrum_case_finish();
    return failures;
}
