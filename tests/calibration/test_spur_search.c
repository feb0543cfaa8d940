/* test_spur_search.c - which lines of a spectrum become entries of a spur list. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/calibration/spur_search.h"
#include "tests/support/measure/measure_fixture.h"

/* 1024 bins of 1 kHz around 100 MHz; 510 frames. */
static const struct fixture fixture = {1024, 512, "blackman-harris", 100e6, 1.024e6};
enum { COUNT = 1 << 18 };

/* Of one line with these samples; the caller frees them before. */
static struct found_spurs learn(const struct fft_iq *iq, double usable_percent, const char *known)
{
    struct found_spurs found;
    struct spur_search search = {0};
    struct spur_list list;
    struct reason why = {0};
    struct line *line = fixture_line(&fixture, iq, COUNT);
    line->usable_percent = usable_percent;
    line->dc_spur = true; /* by default with a radio: it is learnt all the same */
    assert_int_equal(spur_list_parse(&list, known, strlen(known), "t", &why), 0);
    assert_int_equal(spur_search_add(&search, line, &why), 0);
    if (spur_search_find(&search, 10, &list, &found, &why) < 0)
        fail_msg("%s", why.sentence);
    spur_search_finish(&search);
    spur_list_finish(&list);
    line_destroy(line);
    return found;
}

static struct fft_iq *noise(void)
{
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_noise(iq, COUNT, 1e-6, 1); /* -60 dBFS in all, -87.1 dBFS in a bin */
    return iq;
}

static void noise_has_no_lines(void **state)
{
    (void)state;
    struct fft_iq *iq = noise();
    assert_int_equal(learn(iq, 100, "").count, 0);
    free(iq);
}

static void tones_are_learnt_where_they_are(void **state)
{
    (void)state;
    struct fft_iq *iq = noise();
    fixture_add_tone(iq, COUNT, pow(10, -70 / 20.0), -300.3e3 / fixture.rate_hz);
    fixture_add_tone(iq, COUNT, pow(10, -30 / 20.0), 0);
    fixture_add_tone(iq, COUNT, pow(10, -10 / 20.0), 123.4e3 / fixture.rate_hz);
    struct found_spurs found = learn(iq, 100, "");
    assert_int_equal(found.count, 3);
    /* -70 dBFS, less scalloping of up to 0.83 dB, over 1e-6 * 2.004 / 1024 */
    assert_near(found.line[0].above_db, 17.1, 1);
    assert_false(found.line[0].spur.relative);
    assert_near(found.line[0].spur.hz, 100e6 - 300.3e3, 100);
    assert_true(found.line[1].spur.relative);
    assert_near(found.line[1].spur.hz, 0, 0);
    assert_near(found.line[2].spur.hz, 100.1234e6, 5);
    for (size_t i = 0; i < 3; i++)
        assert_near(found.line[i].spur.width_hz, 0, 0);
    free(iq);
}

static void a_wide_line_is_learnt_with_its_width(void **state)
{
    (void)state;
    struct fft_iq *iq = noise();
    fixture_add_band(iq, COUNT, 1e-4, 0.20, 0.22, 2); /* 20.5 kHz around 100.215 MHz, 20 dB up */
    const struct found_spurs found = learn(iq, 100, "");
    assert_int_equal(found.count, 1);
    assert_near(found.line[0].spur.hz, 100e6 + 0.21 * fixture.rate_hz, 1e3);
    assert_near(found.line[0].spur.width_hz, 0.02 * fixture.rate_hz, 5e3);
    free(iq);
}

static void a_filters_slope_is_no_line(void **state)
{
    (void)state;
    struct fft_iq *iq = noise();
    fixture_add_band(iq, COUNT, 1e-3, -0.25, 0.25, 2); /* half of the span is 30 dB higher */
    struct found_spurs found = learn(iq, 100, "");
    /* but for the part of the band in which the slope is */
    for (size_t i = 0; i < found.count; i++)
        assert_true(fabs(fabs(found.line[i].spur.hz - 100e6) - 0.25 * fixture.rate_hz) < 64e3);
    found = learn(iq, 45, "");
    assert_int_equal(found.count, 0);
    free(iq);
}

static void what_is_known_or_beyond_the_usable_band_is_left_out(void **state)
{
    (void)state;
    struct fft_iq *iq = noise();
    fixture_add_tone(iq, COUNT, 0.01, 200e3 / fixture.rate_hz);
    fixture_add_tone(iq, COUNT, 0.01, -100e3 / fixture.rate_hz);
    fixture_add_tone(iq, COUNT, 0.01, -480e3 / fixture.rate_hz);
    assert_int_equal(learn(iq, 100, "").count, 3);
    assert_int_equal(learn(iq, 80, "").count, 2);
    const struct found_spurs found = learn(iq, 80, "center+200k 1k clock\n");
    assert_int_equal(found.count, 1);
    assert_near(found.line[0].spur.hz, 99.9e6, 10);
    free(iq);
}

static void a_few_spectra_are_not_enough(void **state)
{
    (void)state;
    struct spur_search search = {0};
    struct found_spurs found;
    struct reason why = {0};
    struct line *line = fixture_flat_line(&fixture, 1e-9F);
    line->frames = 19;
    assert_int_equal(spur_search_add(&search, line, &why), 0);
    assert_int_equal(spur_search_find(&search, 10, NULL, &found, &why), -ERANGE);
    assert_string_equal(why.sentence,
                        "19 spectra are too few to distinguish a line from noise: give a longer "
                        "--duration");
    line->tuning.center_hz = 101e6;
    assert_int_equal(spur_search_add(&search, line, &why), -EINVAL);
    assert_string_equal(why.sentence, "the tuning or the gain changed while lines were learnt");
    spur_search_finish(&search);
    line_destroy(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_has_no_lines),
        cmocka_unit_test(tones_are_learnt_where_they_are),
        cmocka_unit_test(a_wide_line_is_learnt_with_its_width),
        cmocka_unit_test(a_filters_slope_is_no_line),
        cmocka_unit_test(what_is_known_or_beyond_the_usable_band_is_left_out),
        cmocka_unit_test(a_few_spectra_are_not_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
