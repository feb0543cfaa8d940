/* test_settings.c - the FFT size that a requested resolution bandwidth gives. */
#include "tests/support/cmocka_all.h"

#include <math.h>

#include "daemon/line/resolution.h"
#include "daemon/stream/settings.h"

static uint32_t size_for(enum fft_window_kind kind, double rbw_hz, double rate_hz)
{
    struct settings w = {.n = 4096, .rbw_hz = rbw_hz, .window = {.kind = kind}};
    return settings_fft_size(&w, rate_hz);
}

static void the_rbw_is_as_requested_or_the_next_finer_one(void **state)
{
    (void)state;
    /* A rectangular window is one bin wide, a Hann window 1.5 (Harris 1978). */
    assert_int_equal(size_for(FFT_WINDOW_RECT, 1000, 1.024e6), 1024);
    assert_int_equal(size_for(FFT_WINDOW_RECT, 999, 1.024e6), 2048);
    assert_int_equal(size_for(FFT_WINDOW_RECT, 1999, 1.024e6), 1024);
    assert_int_equal(size_for(FFT_WINDOW_HANN, 1500, 1.024e6), 1024);
    assert_int_equal(size_for(FFT_WINDOW_HANN, 1000, 1.024e6), 2048);
    assert_int_equal(size_for(FFT_WINDOW_BLACKMAN_HARRIS, 1000, 2.4e6), 8192); /* 587 Hz */
}

static void an_rbw_out_of_reach_gives_the_nearest_size(void **state)
{
    (void)state;
    assert_int_equal(size_for(FFT_WINDOW_RECT, 1e9, 1e6), 64);
    assert_int_equal(size_for(FFT_WINDOW_RECT, 1e-3, 1e6), 4194304);
}

static void without_an_rbw_or_a_rate_the_size_stays(void **state)
{
    (void)state;
    assert_int_equal(size_for(FFT_WINDOW_RECT, 0, 1e6), 4096);
    assert_int_equal(size_for(FFT_WINDOW_RECT, 1000, 0), 4096);
    assert_int_equal(size_for(FFT_WINDOW_RECT, 1000, NAN), 4096);
}

static void a_mean_over_a_time_has_half_its_inverse_as_video_bandwidth(void **state)
{
    (void)state;
    /* 100 frames, 1024 samples apart, at 1.024 MS/s: 0.1 s, and 5 Hz. */
    assert_near(resolution_vbw_hz(100, 1024, 1.024e6), 5, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rbw_is_as_requested_or_the_next_finer_one),
        cmocka_unit_test(an_rbw_out_of_reach_gives_the_nearest_size),
        cmocka_unit_test(without_an_rbw_or_a_rate_the_size_stays),
        cmocka_unit_test(a_mean_over_a_time_has_half_its_inverse_as_video_bandwidth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
