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

static double frames_for(double vbw_hz, double rate_hz, uint32_t hop)
{
    const struct settings w = {.vbw_hz = vbw_hz, .average = 7, .line_rate_hz = 20};
    return settings_line_frames(&w, rate_hz, hop);
}

static void the_vbw_is_as_requested_or_the_next_narrower_one(void **state)
{
    (void)state;
    /* A mean over T has 1 / (2 T): 0.1 s for 5 Hz, which is 100 frames of 1 ms. */
    assert_near(frames_for(5, 1.024e6, 1024), 100, 0);
    assert_near(frames_for(4.99, 1.024e6, 1024), 101, 0);
    assert_near(frames_for(5.01, 1.024e6, 1024), 100, 0);
    assert_near(frames_for(500, 1.024e6, 1024), 1, 0);
    for (double vbw_hz = 0.01; vbw_hz < 500; vbw_hz *= 1.7) {
        const double frames = frames_for(vbw_hz, 1.024e6, 1024);
        assert_true(resolution_vbw_hz(frames, 1024, 1.024e6) <= vbw_hz * (1 + 1e-6));
        assert_true(frames < 2 || resolution_vbw_hz(frames - 1, 1024, 1.024e6) > vbw_hz);
    }
}

static void a_vbw_out_of_reach_gives_the_nearest_line(void **state)
{
    (void)state;
    assert_near(frames_for(1e6, 1.024e6, 1024), 1, 0);
    assert_near(frames_for(1e-9, 1.024e6, 1024), 1000000, 0); /* 1000 s */
    assert_near(frames_for(1e9, 1e9, 100), 100, 0);           /* 100,000 lines a second */
}

static void without_a_vbw_a_line_has_its_average_or_rate(void **state)
{
    (void)state;
    struct settings w = {.average = 7, .line_rate_hz = 20};
    assert_near(settings_line_frames(&w, 1.024e6, 1024), 7, 0);
    w.average = 0;
    assert_near(settings_line_frames(&w, 1.024e6, 1024), 50, 0);
    w.line_rate_hz = 80;
    assert_near(settings_line_frames(&w, 1.024e6, 1024), 12.5, 0); /* 12 or 13 */
    w.line_rate_hz = 5000;
    assert_near(settings_line_frames(&w, 1.024e6, 1024), 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rbw_is_as_requested_or_the_next_finer_one),
        cmocka_unit_test(an_rbw_out_of_reach_gives_the_nearest_size),
        cmocka_unit_test(without_an_rbw_or_a_rate_the_size_stays),
        cmocka_unit_test(a_mean_over_a_time_has_half_its_inverse_as_video_bandwidth),
        cmocka_unit_test(the_vbw_is_as_requested_or_the_next_narrower_one),
        cmocka_unit_test(a_vbw_out_of_reach_gives_the_nearest_line),
        cmocka_unit_test(without_a_vbw_a_line_has_its_average_or_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
