/* test_soapy_radio.c - finding and setting up a radio: what it takes, and what it refuses. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/iq.h"
#include "tests/support/soapy/soapy_support.h"

static struct test_radio r;

static void a_missing_radio_is_named(void **state)
{
    (void)state;
    radio_init(&r, "serial=T9");
    assert_refused(&r, -ENODEV, "no SoapySDR device matches driver=fftdtest,serial=T9");
    r.config.device = "driver=nosuch";
    assert_refused(&r, -ENODEV, "driver=nosuch");
    r.config.device = "rtlsdr";
    assert_refused(&r, -EINVAL, "device 'rtlsdr' is not key=value");
}

static void the_first_of_several_radios_is_opened_and_named(void **state)
{
    (void)state;
    radio_init(&r, "count=3");
    radio_must_open(&r);
    assert_string_equal(r.source->stream.about, "Test generator T1");
    radio_close(&r);
    radio_init(&r, "count=3,serial=T2");
    radio_must_open(&r);
    assert_string_equal(r.source->stream.about, "Test generator T2");
    assert_string_equal(r.source->stream.serial, "T2");
    radio_close(&r);
}

static void a_sound_card_is_opened_only_if_there_is_no_radio(void **state)
{
    (void)state;
    radio_init(&r, "");
    setenv("FFTDTEST_SOUND_CARD", "1", 1);
    r.config.device = "serial=T1"; /* matches both */
    radio_must_open(&r);
    assert_string_equal(r.source->stream.about, "Test generator T1");
    radio_close(&r);
    r.config.device = "serial=T9";
    radio_must_open(&r);
    assert_string_equal(r.source->stream.about, "Built-in Audio");
    radio_close(&r);
    unsetenv("FFTDTEST_SOUND_CARD");
}

static void sound_cards_are_listed_last(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    setenv("FFTDTEST_SOUND_CARD", "1", 1);
    assert_true(source_soapy.list(out) >= 2);
    unsetenv("FFTDTEST_SOUND_CARD");
    fclose(out);
    const char *card = strstr(text, "'driver=audio'  # Built-in Audio (a sound card)\n");
    assert_non_null(card);
    assert_true(card > strstr(text, "# Test generator T1\n"));
    assert_null(strchr(strchr(card, '\n') + 1, '#'));
    free(text);
}

static void radios_are_listed_as_command_lines(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_true(source_soapy.list(out) >= 1);
    fclose(out);
    assert_non_null(
        strstr(text, "--source soapy --device 'driver=fftdtest,serial=T1'  # Test generator T1\n"));
    free(text);
}

static void the_tone_reads(const char *arguments, enum fft_iq_format format, double full_scale)
{
    radio_init(&r, arguments);
    radio_must_open(&r);
    assert_int_equal(r.source->stream.format, format);
    assert_near(r.source->stream.full_scale, full_scale, 1e-9);
    assert_near(radio_level(&r, 250e3), -6.02,
                0.03); /* 8 bits: rounding adds up, 48 samples a period */
    assert_true(radio_level(&r, 240e3) < -60);
    radio_close(&r);
}

static void a_readable_native_format_is_used(void **state)
{
    (void)state;
    the_tone_reads("native=CS16,full_scale=2048", FFT_IQ_CS16, 2048);
    the_tone_reads("native=CS16,full_scale=32767", FFT_IQ_CS16, 32768);
    the_tone_reads("native=CS8,full_scale=128", FFT_IQ_CS8, 128);
    the_tone_reads("native=CU8,full_scale=128", FFT_IQ_CU8, 127.5);
    the_tone_reads("native=CF32,full_scale=1", FFT_IQ_CF32, 1);
}

/* 12 and 32 bits: rounding moves the level of the tone by less than 0.005 dB. */
static void is_converted(const char *arguments, enum fft_iq_format format, double full_scale,
                         double level)
{
    radio_init(&r, arguments);
    radio_must_open(&r);
    assert_int_equal(r.source->stream.format, format);
    assert_near(r.source->stream.full_scale, full_scale, 1e-9);
    assert_near(radio_level(&r, 250e3), level, 0.01);
    assert_true(radio_level(&r, -250e3) < level - 70); /* I and Q are in order */
    radio_close(&r);
}

static void packed_and_long_native_formats_are_converted(void **state)
{
    (void)state;
    const double half = 20 * log10(0.5), full = 0;
    is_converted("native=CS12,full_scale=2048", FFT_IQ_CS16, 2048, half);
    is_converted("native=CS12,full_scale=2047,formats=CS12", FFT_IQ_CS16, 2048, half);
    is_converted("native=CS12,full_scale=1024,formats=CS12", FFT_IQ_CS16, 1024, half);
    is_converted("native=CS12,full_scale=2047.5,level=0.999999", FFT_IQ_CS16, 2048, full);
    is_converted("native=CS32,full_scale=2147483648", FFT_IQ_CF32, 1, half);
    is_converted("native=CS32,full_scale=2147483647,level=1,formats=CS32", FFT_IQ_CF32, 1, full);
    is_converted("native=CS32,full_scale=8388608", FFT_IQ_CF32, 8388608 / 2147483648.0, half);
}

static void any_other_native_format_is_read_as_the_best_of_the_others(void **state)
{
    (void)state;
    is_converted("native=CS4,formats=CS12:CF32:CS16", FFT_IQ_CS16, 32768, -6.0206);
    is_converted("native=CS4,formats=CS12:CF32", FFT_IQ_CF32, 1, -6.0206);
    is_converted("native=CS4,formats=CS4:CS12", FFT_IQ_CS16, 2048, -6.0206);
    is_converted("native=CS4,formats=CS32", FFT_IQ_CF32, 1, -6.0206);
    radio_init(&r, "native=CS4,formats=CS4");
    assert_refused(&r, -EINVAL, "format CS16 or CF32: Test generator T1 has CS4");
}

static void a_format_can_be_forced(void **state)
{
    (void)state;
    radio_init(&r, "native=CS16,full_scale=2048");
    r.config.format = "cf32";
    radio_must_open(&r);
    assert_int_equal(r.source->stream.format, FFT_IQ_CF32);
    assert_near(radio_level(&r, 250e3), -6.02, 0.02);
    radio_close(&r);
    radio_init(&r, "native=CS16,full_scale=2048,formats=CS16:CS12:CS32");
    r.config.format = "cs12";
    radio_must_open(&r);
    assert_near(r.source->stream.full_scale, 2048, 0);
    assert_near(radio_level(&r, 250e3), -6.02, 0.01);
    radio_close(&r);
    radio_init(&r, "native=CS16,full_scale=2048");
    r.config.format = "cu8";
    assert_refused(&r, -EINVAL, "format cu8: Test generator T1 has CS16");
    r.config.format = "cs99";
    assert_refused(&r, -EINVAL, "format cs99");
}

static void gain_is_automatic_total_or_by_element(void **state)
{
    (void)state;
    radio_init(&r, "");
    strcpy(r.config.tuning.gain, "auto");
    radio_must_open(&r);
    assert_string_equal(r.source->stream.tuning.gain, "auto");
    assert_true(isnan(r.source->stream.gain_db));
    radio_close(&r);

    strcpy(r.config.tuning.gain, "45");
    radio_must_open(&r);
    assert_string_equal(r.source->stream.tuning.gain, "45");
    assert_near(r.source->stream.gain_db, 45, 0);
    radio_close(&r);

    strcpy(r.config.tuning.gain, "LNA=20.4,TIA=8");
    radio_must_open(&r);
    assert_string_equal(r.source->stream.tuning.gain, "LNA=20,TIA=8");
    assert_near(r.source->stream.gain_db, 28, 0);
    radio_close(&r);
}

static void a_radio_without_agc_keeps_its_gain(void **state)
{
    (void)state;
    radio_init(&r, "agc=0");
    strcpy(r.config.tuning.gain, "auto");
    radio_must_open(&r);
    assert_string_equal(r.source->stream.tuning.gain, "10");
    radio_close(&r);
}

static void wrong_gains_name_the_valid_ones(void **state)
{
    (void)state;
    radio_init(&r, "");
    strcpy(r.config.tuning.gain, "LNA=20,VGA=8");
    assert_refused(&r, -EINVAL, "gain element VGA: Test generator T1 has LNA, TIA");
    strcpy(r.config.tuning.gain, "LNA=41");
    assert_refused(&r, -EINVAL, "LNA 41 dB: Test generator T1 takes 0 to 40 dB");
    strcpy(r.config.tuning.gain, "53");
    assert_refused(&r, -EINVAL, "gain 53 dB: Test generator T1 takes 0 to 52 dB");
    strcpy(r.config.tuning.gain, "loud");
    assert_refused(&r, -EINVAL, "gain 'loud'");
    radio_init(&r, "gains=0");
    strcpy(r.config.tuning.gain, "LNA=20");
    assert_refused(&r, -EINVAL, "gain element LNA: Test generator T1 has none to choose from");
}

static void antenna_and_bandwidth_are_set_or_refused(void **state)
{
    (void)state;
    radio_init(&r, "");
    strcpy(r.config.tuning.antenna, "RX2");
    r.config.tuning.bandwidth_hz = 1.5e6;
    radio_must_open(&r);
    assert_string_equal(r.source->stream.tuning.antenna, "RX2");
    assert_near(r.source->stream.tuning.bandwidth_hz, 1.5e6, 0);
    radio_close(&r);
    strcpy(r.config.tuning.antenna, "RX3");
    assert_refused(&r, -EINVAL, "antenna RX3: Test generator T1 has RX1, RX2");
    r.config.tuning.antenna[0] = '\0';
    radio_must_open(&r); /* no name: nothing to check */
    radio_close(&r);
    radio_init(&r, "antennas=0");
    strcpy(r.config.tuning.antenna, "RX2");
    assert_refused(&r, -EINVAL, "antenna RX2: Test generator T1 has none to choose from");
    r.config.tuning.antenna[0] = '\0';
    radio_must_open(&r);
    radio_close(&r);
    radio_init(&r, "");
    r.config.tuning.bandwidth_hz = 100e6;
    assert_refused(&r, -EINVAL, "bandwidth 100M: Test generator T1 takes 200k to 60M");
}

static void frequencies_and_rates_out_of_range_are_refused(void **state)
{
    (void)state;
    radio_init(&r, "");
    r.config.tuning.center_hz = 5e9;
    assert_refused(&r, -EINVAL, "center 5G: Test generator T1 takes 24M to 1.8G");
    r.config.tuning.center_hz = 100e6;
    r.config.tuning.rate_hz = 100e6;
    assert_refused(&r, -EINVAL, "rate 100M: Test generator T1 takes 250k to 61.44M");
}

static void the_nearest_rate_is_used_and_reported(void **state)
{
    (void)state;
    radio_init(&r, "");
    r.config.tuning.rate_hz = 2400300;
    radio_must_open(&r);
    assert_near(r.source->stream.tuning.rate_hz, 2.4e6, 0);
    assert_string_equal(r.source->stream.about,
                        "Test generator T1 (wanted 2.4003M, gives 2.4M samples/s)");
    radio_close(&r);
    r.config.tuning.rate_hz = 5e6; /* between its ranges */
    radio_must_open(&r);
    assert_near(r.source->stream.tuning.rate_hz, 3.2e6, 0);
    radio_close(&r);
}

static void values_not_given_stay_unchanged(void **state)
{
    (void)state;
    radio_init(&r, "");
    r.config.tuning = (struct tuning){.center_hz = NAN};
    radio_must_open(&r);
    assert_near(r.source->stream.tuning.rate_hz, 2.4e6, 0);
    assert_near(r.source->stream.tuning.center_hz, 100e6, 0);
    assert_near(r.source->stream.tuning.bandwidth_hz, 2e6, 0);
    assert_string_equal(r.source->stream.tuning.antenna, "RX1");
    assert_string_equal(r.source->stream.tuning.gain, "10");
    radio_close(&r);
}

/* A crystal that is 20 ppm fast puts the receiver 2 kHz above 100 MHz, and so the tone lower. */
static void ppm_moves_the_tone_to_its_frequency(void **state)
{
    (void)state;
    radio_init(&r, "crystal=20");
    radio_must_open(&r);
    assert_near(radio_level(&r, 248e3), -6.02, 0.02);
    radio_close(&r);
    r.config.tuning.ppm = 20;
    radio_must_open(&r);
    assert_near(r.source->stream.tuning.center_hz, 100e6, 0.01);
    assert_near(radio_level(&r, 250e3), -6.02, 0.02);
    radio_close(&r);
}

static void a_radio_with_ppm_correction_corrects_itself(void **state)
{
    (void)state;
    radio_init(&r, "crystal=20,correction=1");
    r.config.tuning.ppm = 20;
    radio_must_open(&r);
    assert_near(r.source->stream.tuning.center_hz, 100e6, 0);
    assert_near(radio_level(&r, 250e3), -6.02, 0.02);
    radio_close(&r);
}

static void settings_and_stream_arguments_reach_the_driver(void **state)
{
    (void)state;
    radio_init(&r, "");
    strcpy(r.config.tuning.settings, "direct=2, notch=true");
    r.config.stream_args = "bufflen=4096";
    radio_must_open(&r);
    assert_setting(&r, "direct", "2");
    assert_setting(&r, "channel notch", "true");
    assert_setting(&r, "stream bufflen", "4096");
    assert_setting(&r, "biastee", "");
    radio_close(&r);
}

static void bias_tee_is_on_while_the_radio_is_open(void **state)
{
    (void)state;
    struct test_radio other;
    radio_init(&r, "");
    r.config.bias_tee = true;
    radio_must_open(&r);
    assert_setting(&r, "biastee", "true");
    other = r; /* the same device object outlives the first source */
    other.config.bias_tee = false;
    radio_must_open(&other);
    radio_close(&r);
    assert_setting(&other, "biastee", "false");
    radio_close(&other);
    radio_init(&r, "settings=0");
    r.config.bias_tee = true;
    assert_refused(&r, -EINVAL, "bias tee: Test generator T1 has no setting for one");
}

static void a_receiver_is_selected_or_refused(void **state)
{
    (void)state;
    radio_init(&r, "channels=2");
    r.config.rx_channel = 1;
    radio_must_open(&r);
    assert_setting(&r, "stream channel", "1");
    assert_string_equal(r.source->stream.about, "Test generator T1, channel 1");
    radio_close(&r);
    r.config.rx_channel = 2;
    assert_refused(&r, -EINVAL, "rx-channel 2: Test generator T1 has 2 receivers, counted from 0");
}

static void clock_and_time_come_from_what_the_radio_has(void **state)
{
    (void)state;
    radio_init(&r, "");
    r.config.clock_source = "external";
    r.config.clock_reference_hz = 10e6;
    r.config.time_source = "gpsdo";
    radio_must_open(&r);
    assert_setting(&r, "clock", "external");
    assert_setting(&r, "reference", "10000000");
    assert_setting(&r, "time", "gpsdo");
    assert_string_equal(r.source->stream.about,
                        "Test generator T1, clock external 10M, time gpsdo");
    radio_close(&r);
    r.config.clock_source = "extrenal";
    assert_refused(&r, -EINVAL, "clock-source extrenal: Test generator T1 has internal, external");
    r.config.clock_source = NULL;
    r.config.clock_reference_hz = 100e6;
    assert_refused(&r, -EINVAL, "clock-reference 100M: Test generator T1 does not take this");
    r.config.clock_reference_hz = 0;
    r.config.time_source = "pps";
    assert_refused(&r, -EINVAL, "time-source pps: Test generator T1 has none, gpsdo");
    radio_init(&r, "clocks=0");
    r.config.clock_source = "external";
    assert_refused(&r, -EINVAL, "clock-source external: Test generator T1 has none to choose from");
}

static void wrong_settings_name_the_valid_ones(void **state)
{
    (void)state;
    radio_init(&r, "");
    strcpy(r.config.tuning.settings, "dirct=2");
    assert_refused(&r, -EINVAL,
                   "setting dirct: Test generator T1 has biastee, direct, agc_setpoint, notch");
    strcpy(r.config.tuning.settings, "direct=3");
    assert_refused(&r, -EINVAL, "setting direct=3: Test generator T1 takes 0, 1, 2");
    strcpy(r.config.tuning.settings, "direct");
    assert_refused(&r, -EINVAL, "setting 'direct' is not key=value");
    r.config.tuning.settings[0] = 0;
    r.config.stream_args = "bufflen";
    assert_refused(&r, -EINVAL, "stream argument 'bufflen' is not key=value");
    radio_init(&r, "settings=0"); /* lists nothing, and so may know anything */
    strcpy(r.config.tuning.settings, "anything=1");
    radio_must_open(&r);
    assert_setting(&r, "anything", "1");
    radio_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_radio_is_named),
        cmocka_unit_test(the_first_of_several_radios_is_opened_and_named),
        cmocka_unit_test(a_sound_card_is_opened_only_if_there_is_no_radio),
        cmocka_unit_test(sound_cards_are_listed_last),
        cmocka_unit_test(radios_are_listed_as_command_lines),
        cmocka_unit_test(a_readable_native_format_is_used),
        cmocka_unit_test(packed_and_long_native_formats_are_converted),
        cmocka_unit_test(any_other_native_format_is_read_as_the_best_of_the_others),
        cmocka_unit_test(a_format_can_be_forced),
        cmocka_unit_test(gain_is_automatic_total_or_by_element),
        cmocka_unit_test(a_radio_without_agc_keeps_its_gain),
        cmocka_unit_test(wrong_gains_name_the_valid_ones),
        cmocka_unit_test(antenna_and_bandwidth_are_set_or_refused),
        cmocka_unit_test(frequencies_and_rates_out_of_range_are_refused),
        cmocka_unit_test(the_nearest_rate_is_used_and_reported),
        cmocka_unit_test(values_not_given_stay_unchanged),
        cmocka_unit_test(ppm_moves_the_tone_to_its_frequency),
        cmocka_unit_test(a_radio_with_ppm_correction_corrects_itself),
        cmocka_unit_test(settings_and_stream_arguments_reach_the_driver),
        cmocka_unit_test(bias_tee_is_on_while_the_radio_is_open),
        cmocka_unit_test(a_receiver_is_selected_or_refused),
        cmocka_unit_test(clock_and_time_come_from_what_the_radio_has),
        cmocka_unit_test(wrong_settings_name_the_valid_ones),
    };
    return cmocka_run_group_tests(tests, support_begin, support_end);
}
