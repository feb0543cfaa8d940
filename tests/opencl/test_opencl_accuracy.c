/* test_opencl_accuracy.c - tests native twiddles on a real driver: used where the device's sine is
 * accurate, refused where a profile simulates a weak one. Spectra stay pure in both cases. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/opencl/engine_opencl.h"
#include "tests/support/engine/signal.h"

enum { N = 4096, TONE = 321 };

static struct fft_engine *open_engine(const char *options)
{
    static const struct engine_ops *const list[] = {&opencl_engine_ops, NULL};
    const struct fft_engine_config config = {.name = "opencl", .options = options};
    struct fft_engine *e = NULL;
    char why[400];
    if (fft_engine_open_from(list, &config, &e, (struct fft_reason){why, sizeof why}) < 0)
        fail_msg("%s", why);
    printf("# %s\n", fft_engine_describe(e));
    return e;
}

/* The power of the worst other bin relative to a full-scale tone, in dBc; the tone must read 0 dBFS
 * within the tolerance. */
static double worst_spur(struct fft_engine *e, double tolerance_db)
{
    static float window[N];
    const struct fft_spectrum_config plan = {.n = N,
                                             .hop = N,
                                             .max_frames = 1,
                                             .depth = 1,
                                             .format = FFT_IQ_CF32,
                                             .detectors = FFT_DETECTOR_MEAN,
                                             .window = window};
    struct fft_spectrum *s;
    struct fft_partial p;
    char why[200];
    double spur = 0;
    for (uint32_t i = 0; i < N; i++)
        window[i] = 1.0F / N;
    struct fft_iq *tone = signal_tone(FFT_IQ_CF32, N, 1, (double)TONE / N);
    if (fft_spectrum_create(&s, e, &plan, why, sizeof why) < 0)
        fail_msg("%s", why);
    assert_int_equal(fft_spectrum_submit(s, tone, 0, 1, 0), 0);
    assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
    const double level = (double)p.sum[N / 2 + TONE];
    for (uint32_t k = 0; k < N; k++)
        if (k != N / 2 + TONE && (double)p.sum[k] > spur)
            spur = (double)p.sum[k];
    fft_spectrum_destroy(s);
    free(tone);
    assert_near(to_db(level), 0, tolerance_db);
    return to_db(spur / level);
}

static void a_device_with_an_accurate_sine_computes_its_twiddles(void **state)
{
    (void)state;
    struct fft_engine *e = open_engine("plan=passes,twiddles=native");
    assert_non_null(strstr(fft_engine_describe(e), ", native twiddles"));
    assert_true(worst_spur(e, 1e-4) <= -120);
    fft_engine_close(e);
}

static void a_device_with_a_weak_sine_uses_tables_and_gives_the_reason(void **state)
{
    (void)state;
    struct fft_engine *e = open_engine("plan=passes,twiddles=native,profile=mali-g77");
    assert_non_null(strstr(fft_engine_describe(e), ", planned as mali-g77, table twiddles (native "
                                                   "off by 7e-04)"));
    assert_true(worst_spur(e, 1e-4) <= -120);
    fft_engine_close(e);
}

static void the_documented_error_of_nvidia_is_too_large(void **state)
{
    (void)state;
    struct fft_engine *e = open_engine("plan=passes,twiddles=native,profile=h200");
    assert_non_null(
        strstr(fft_engine_describe(e), ", planned as h200, table twiddles (native off"));
    fft_engine_close(e);
}

/* 11 bits for a value and three passes that round: a spur appears that 32 bits do not leave. */
static void half_storage_is_used_only_where_it_is_asked_for(void **state)
{
    static const struct {
        const char *options;
        bool half;
    } cases[] = {{"storage=half", true},
                 {"storage=half,plan=digitrev", true},
                 {"plan=passes", false},
                 {"plan=passes,storage=float", false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fft_engine *e = open_engine(cases[i].options);
        const double spur = worst_spur(e, cases[i].half ? 0.01 : 1e-4);
        assert_int_equal(strstr(fft_engine_describe(e), ", half storage") != NULL, cases[i].half);
        assert_true(cases[i].half ? spur > -100 && spur <= -70 : spur <= -120);
        fft_engine_close(e);
    }
}

/* A forced plan that has no points between passes in memory cannot store them so. */
static void a_plan_without_half_storage_is_refused(void **state)
{
    static const struct engine_ops *const list[] = {&opencl_engine_ops, NULL};
    const struct fft_engine_config config = {.name = "opencl",
                                             .options = "plan=whole,storage=half"};
    struct fft_engine *e = NULL;
    char why[400];
    (void)state;
    assert_int_equal(fft_engine_open_from(list, &config, &e, (struct fft_reason){why, sizeof why}),
                     -ENOTSUP);
    assert_null(e);
    assert_non_null(strstr(why, "with plan whole half=1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_with_an_accurate_sine_computes_its_twiddles),
        cmocka_unit_test(a_device_with_a_weak_sine_uses_tables_and_gives_the_reason),
        cmocka_unit_test(the_documented_error_of_nvidia_is_too_large),
        cmocka_unit_test(half_storage_is_used_only_where_it_is_asked_for),
        cmocka_unit_test(a_plan_without_half_storage_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
