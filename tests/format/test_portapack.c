/* test_portapack.c - captures of a PortaPack: the text beside them gives rate and centre. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/source/source_support.h"

#include "daemon/format/recording/portapack.h"

/* As the firmware writes it, with and without its receiver for GPS. */
static void the_text_file_of_a_capture_gives_rate_and_centre(void **state)
{
    (void)state;
    static const struct {
        const char *capture, *text_name, *text;
        enum fft_iq_format format;
    } table[] = {
        {"BBD_0001.C16", "BBD_0001.TXT", "center_frequency=433920000\nsample_rate=500000\n",
         FFT_IQ_CS16},
        {"b.c8", "b.txt",
         "sample_rate=500000\r\ncenter_frequency=433920000\r\nlatitude=52.5200000\r\n", FFT_IQ_CS8},
        {"c_868M_1k.C8", "c_868M_1k.TXT", "sample_rate=500000\ncenter_frequency=433920000",
         FFT_IQ_CS8},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        file_of_text(table[i].text_name, table[i].text);
        const struct source_config config = replay_of(file_of_text(table[i].capture, "abcdefgh"));
        struct source *s = open_source(&config);
        assert_int_equal(s->stream.format, table[i].format);
        assert_true(s->stream.tuning.rate_hz == 500000);
        assert_true(s->stream.tuning.center_hz == 433920000);
        source_destroy(s);
    }
}

static void the_command_line_overrides_the_text(void **state)
{
    (void)state;
    file_of_text("d.TXT", "center_frequency=433920000\nsample_rate=500000\n");
    struct source_config config = replay_of(file_of_text("d.C16", "abcdefgh"));
    config.tuning.rate_hz = 1e6;
    config.tuning.center_hz = 5e6;
    struct source *s = open_source(&config);
    assert_true(s->stream.tuning.rate_hz == 1e6 && s->stream.tuning.center_hz == 5e6);
    source_destroy(s);
}

static void other_files_have_no_text(void **state)
{
    (void)state;
    file_of_text("e_433M_250k.TXT", "center_frequency=1\nsample_rate=2\n");
    const struct source_config config = replay_of(file_of_text("e_433M_250k.cs16", "abcdefgh"));
    struct source *s = open_source(&config);
    assert_true(s->stream.tuning.rate_hz == 250e3 && s->stream.tuning.center_hz == 433e6);
    source_destroy(s);
}

static void what_is_not_plausible_counts_as_not_given(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double center_hz, rate_hz;
    } table[] = {
        {"", NAN, 0},
        {"\n\n", NAN, 0},
        {"sample_rate=\ncenter_frequency=x\n", NAN, 0},
        {"sample_rate=5e5\ncenter_frequency=-1\n", NAN, 0},
        {"sample_rate=11000000000\ncenter_frequency=400000000000\n", NAN, 0},
        {"xsample_rate=1\nsample_rates=1\nsample_rate =1", NAN, 0},
        {"sample_rate=0\nsample_rate=48000 \t\r\ncenter_frequency=7", 7, 48000},
        {"sample_rate=99999999999999999999999999999999999999999999999999999999999999999999999", NAN,
         0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct portapack p;
        const size_t size = strlen(table[i].text);
        char *exact = malloc(size + !size);
        memcpy(exact, table[i].text, size);
        portapack_parse(exact, size, &p);
        free(exact);
        if (p.rate_hz != table[i].rate_hz || !(p.center_hz == table[i].center_hz ||
                                               (isnan(p.center_hz) && isnan(table[i].center_hz))))
            fail_msg("%s: centre %g, rate %g", table[i].text, p.center_hz, p.rate_hz);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_file_of_a_capture_gives_rate_and_centre),
        cmocka_unit_test(the_command_line_overrides_the_text),
        cmocka_unit_test(other_files_have_no_text),
        cmocka_unit_test(what_is_not_plausible_counts_as_not_given),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
