/* test_options.c - the table itself, and the value of every kind of option. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/config/option_table.h"
#include "daemon/line/line.h"
#include "fft/window.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/config/config_case.h"

static void option_names_and_letters_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        assert_ptr_equal(option_find(NULL, o->key), o);
        if (o->letter)
            assert_ptr_equal(option_find_letter(o->letter), o);
    }
}

static void documented_option_names_exist(void **state)
{
    (void)state;
    static const char names[] =
        "source replay device format rate center gain fft-size window overlap average line-rate "
        "detector engine threads listen token web-root csv json stats lines duration realtime fast "
        "loop ppm bandwidth antenna stream-args settings bias-tee token-file allow-origin "
        "allow-host max-clients max-views ring-size isa print-config check-config list-devices "
        "list-engines version help";
    char copy[sizeof names], *at = copy;
    memcpy(copy, names, sizeof names);
    for (char *name; (name = strsep(&at, " "));)
        if (!option_find(NULL, name))
            fail_msg("no option --%s", name);
}

static void every_default_is_a_valid_value(void **state)
{
    (void)state;
    struct config c;
    for (size_t i = 0; i < option_count(); i++)
        if (option_parse(option_at(i), option_at(i)->fallback, &c))
            fail_msg("--%s refuses its default", option_at(i)->key);
}

/*
 * A reload copies live options while threads run, so they are plain values of the settings, but for
 * the options of calibration and the files of spurs and band plans: the loop thread, which reloads,
 * alone reads those.
 */
static void live_options_are_plain_values_of_the_settings(void **state)
{
    (void)state;
    const size_t begin = offsetof(struct config, settings), end = begin + sizeof(struct settings);
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        const bool wanted = o->section && o->offset >= begin && o->offset < end;
        const bool table = o->offset == offsetof(struct config, calibration.file) ||
                           o->offset == offsetof(struct config, calibration.unit_index) ||
                           o->offset == offsetof(struct config, calibration.spurs_file) ||
                           o->offset == offsetof(struct config, server.band_plan);
        assert_int_equal(o->live, wanted || (o->section && table));
        if (o->live && !table)
            assert_int_not_equal(o->kind, OPTION_STRING);
    }
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

static void clients_and_people_have_a_name_for_live_options_with_the_unit(void **state)
{
    (void)state;
    size_t named = 0;
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        assert_int_equal(o->api != NULL, o->label != NULL);
        if (!o->api)
            continue;
        named++;
        assert_true(o->live);
        assert_null(strchr(o->api, '-'));
        assert_int_equal(ends_with(o->api, "_hz"), o->unit == SI_HZ || o->unit == SI_RATE);
    }
    assert_true(named >= 20);
}

static void choices_of_detector_match_the_detectors_in_order(void **state)
{
    (void)state;
    char want[64];
    snprintf(want, sizeof want, "%s, %s, %s, %s", detector_name(0), detector_name(1),
             detector_name(2), detector_name(3));
    assert_string_equal(option_find(NULL, "detector")->choices, want);
}

static void assert_words_of(const struct config_option *o, bool yes, const void *wanted)
{
    static const char *const words[][4] = {{"no", "false", "off", "0"}, {"yes", "true", "on", "1"}};
    struct config_option here = *o;
    here.offset = 0;
    for (int w = 0; w < 4; w++) {
        unsigned value = 0;
        assert_int_equal(option_parse(&here, words[yes][w], &value), 0);
        assert_memory_equal(&value, wanted, o->size);
    }
}

/* Flags, and choices such as auto, yes, no. */
static void yes_and_no_are_the_words_of_every_option_and_others_are_read(void **state)
{
    (void)state;
    size_t flags = 0, choices = 0;
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        const unsigned no = o->kind == OPTION_FLAG ? 0 : 2, yes = 1; /* "auto, yes, no" */
        char expected[256];
        option_expected(o, expected, sizeof expected);
        assert_null(strstr(expected, "off"));
        assert_null(strstr(expected, "true"));
        if (o->kind != OPTION_FLAG && !(o->choices && strstr(o->choices, "yes")))
            continue;
        assert_words_of(o, false, &no);
        assert_words_of(o, true, &yes);
        flags += o->kind == OPTION_FLAG;
        choices += o->kind != OPTION_FLAG;
    }
    assert_true(flags > 15);
    assert_int_equal(choices, 1); /* dc-spur */
}

static void windows_named_in_messages_match_the_library(void **state)
{
    (void)state;
    char want[256] = "one of ";
    for (unsigned kind = 0; kind < FFT_WINDOW_KINDS; kind++) {
        const char *name = fft_window_name((enum fft_window_kind)kind);
        const char *parameter = kind == FFT_WINDOW_KAISER ? "BETA" : "ALPHA";
        const size_t used = strlen(want);
        snprintf(want + used, sizeof want - used, "%s%s", kind ? ", " : "", name);
        const size_t now = strlen(want);
        if (kind == FFT_WINDOW_KAISER || kind == FFT_WINDOW_GAUSS)
            snprintf(want + now, sizeof want - now, ", %s(%s)", name, parameter);
    }
    assert_string_equal(option_find(NULL, "window")->expected, want);
}

/* "--key=value" for each value of a list that is separated by spaces. */
static void assert_values(const char *key, const char *values, bool good)
{
    char copy[1024], word[256], *at = copy;
    snprintf(copy, sizeof copy, "%s", values);
    for (char *value; (value = strsep(&at, " "));) {
        struct config_case k;
        snprintf(word, sizeof word, "--%s=%s", key, value);
        config_case_load(&k, word, NULL);
        if (good != (k.err == 0))
            fail_msg("%s: %s", word, good ? k.why.sentence : "was taken");
        config_case_finish(&k);
    }
}

static const struct {
    const char *key, *good, *bad;
} forms[] = {
    {"center", "433.92M 2.4e6 0 1G 868950k 100MHz ", "x -1 nan inf 1m 100,5MHz 100mhz 2e12"},
    {"rate", "2.4M 2.4e6 250k 1 48000 61.44M 2.4Msps 2400kHz ",
     "0 -1 nan NaN inf -inf 1e400 abc 2.4M5 1e11"},
    {"gain", "auto 0 32.8 -3 LNA=20 LNA=20,TIA=8,PGA=-2 3dB LNA=20dB,TIA=8dB ",
     "high LNA LNA= =3 LNA=20, LNA=x 3dBm"},
    {"ppm", "0 -3.5 1000 -1000 12ppm ", "1001 x nan"},
    {"bandwidth", "0 200k 1.5M ", "-1 x"},
    {"antenna", "RX Antenna_B ", "0123456789012345678901234567890123"},
    {"fft-size", "64 128 4096 4194304 65536 4k 4K 64K 4M",
     "0 63 100 32 8388608 4294967296 4G 4GiB -64 nan 4000 x 64.5"},
    {"overlap", "0 50 75 99.9 87.5 50%", "100 -1 nan 101 50dB x "},
    {"average", "0 1 10k 1000000", "-1 1.5 1e10 x"},
    {"line-rate", "20 0.5 200 25.0 20/s", "0 -1 nan x 1M "},
    {"engine", "auto cpu opencl:0 cuda:GPU-1:2 my_engine", ": cpu: c*u"},
    {"threads", "0 1 256", "-1 257 1.5 many 4294967297"},
    {"isa", "auto avx512 avx2 sse4.2", "a/b"},
    {"listen",
     "127.0.0.1:8010 0.0.0.0:0 [::1]:80 [::]:65535 unix:/run/fftd/http.sock systemd none :8011 "
     "8011 localhost:8011 *:8011",
     "127.0.0.1 127.0.0.1: 127.0.0.1:65536 127.0.0.1:-1 127.0.0.1:+1 localhost example.org:80 "
     "::1:80 [::1] []:80 [:80 256.1.1.1:80 unix: unix:/ unix:relative tcp:80 127.0.0.1:123456 "
     "http://127.0.0.1:8010/ : 65536 :65536"},
    {"socket-group", "www-data", "a:b"},
    {"socket-mode", "0660 660 0666 0777", "0888 1777 07777 rw 00660"},
    {"allow-origin", "https://sdr.example.org http://a:8010,https://b http://[::1]:8010",
     "null * sdr.example.org https:// https://a/ https://a,,https://b ftp://a , https://a,"},
    {"allow-host", "sdr sdr.example.org a,b", "a:80 a/b ,a a, *"},
    {"max-clients", "1 256 10000", "0 -1 10001 x"},
    {"max-views", "1 64", "0 1e9"},
    {"ring-size", "0 64k 1M 256M 2G 65536 1024G 1.5M 1Mi 64KB",
     "-1 63k 1 x 1m 4096G 9999999999999999 65536.5"},
    {"format", "cu8 cs8 cs16 cf32 cs12 CU8 cs16_be ", "cs13 cx8 u8"},
    {"detector", "mean max min sample", "avg 1"},
    {"lines", "0 1 10k 1e15", "-1 0.5 2e15 x"},
    {"duration", "0 0.5 10s 5min 2h ", "-1 nan inf x 5m 1k"},
    {"device", "driver=rtlsdr,serial=1 seed=1 driver= ", "rtlsdr =1 a=1, a=1,,b=2"},
    {"settings", "direct_samp=2,iq_swap=true", "direct_samp"},
    {"stream-args", "buffers=32", "buffers"},
    {"window",
     "rect hann hamming blackman blackman-harris nuttall flattop kaiser kaiser(8.6) "
     "gauss(2.5)",
     "hamm Kaiser( kaiser(x) kaiser(-1) hann(3"},
    {"bias-tee", "yes no true false on off 1 0", "maybe YES 2"},
};

static void each_option_accepts_valid_values_only(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        assert_values(forms[i].key, forms[i].good, true);
        assert_values(forms[i].key, forms[i].bad, false);
    }
}

static void values_reach_their_fields(void **state)
{
    (void)state;
    struct config_case k;
    config_case_good(&k,
                     "--source=sim --center 433.92M --rate 2.4e6 --gain LNA=20,TIA=8 --ppm -1.5 "
                     "--bandwidth 200k --antenna RX2 -n 1024 -w kaiser(9) --overlap 75 --average 7 "
                     "--engine cpu --threads 2 --isa avx2 --ring-size 256M --max-clients 9 "
                     "--max-views 3 --detector min --lines 12 --duration 1.5 --format cs8 "
                     "--bias-tee --stream-args a=1 --settings b=2 --device seed=4 --csv out",
                     NULL);
    const struct settings *w = &k.config.settings;
    assert_near(w->tuning.center_hz, 433920000.0, 0);
    assert_near(w->tuning.rate_hz, 2400000.0, 0);
    assert_string_equal(w->tuning.gain, "LNA=20,TIA=8");
    assert_near(w->tuning.ppm, -1.5, 0);
    assert_near(w->tuning.bandwidth_hz, 200000.0, 0);
    assert_string_equal(w->tuning.antenna, "RX2");
    assert_int_equal(w->n, 1024);
    assert_int_equal(w->window.kind, FFT_WINDOW_KAISER);
    assert_near(w->window.parameter, 9, 0);
    assert_near(w->overlap, 75, 0);
    assert_int_equal(w->average, 7);
    assert_string_equal(k.config.engine.name, "cpu");
    assert_int_equal(k.config.engine.threads, 2);
    assert_string_equal(k.config.engine.isa, "avx2");
    assert_int_equal(k.config.source.ring_bytes, 268435456);
    assert_int_equal(k.config.server.max_clients, 9);
    assert_int_equal(k.config.server.max_views, 3);
    assert_int_equal(k.config.output.detector_index, 2);
    assert_int_equal(k.config.output.lines, 12);
    assert_near(k.config.output.duration_s, 1.5, 0);
    assert_string_equal(k.config.output.csv, "out");
    assert_string_equal(k.config.source.format, "cs8");
    assert_string_equal(k.config.source.stream_args, "a=1");
    assert_string_equal(w->tuning.settings, "b=2");
    assert_string_equal(k.config.source.device, "seed=4");
    assert_true(k.config.source.bias_tee);
    assert_memory_equal(&k.config.source.tuning, &w->tuning, sizeof w->tuning);
    config_case_finish(&k);
}

static void defaults_match_the_manual(void **state)
{
    (void)state;
    struct config_case k;
    config_case_good(&k, "", NULL);
    const struct config *c = &k.config;
    assert_string_equal(c->source.source, "auto");
    assert_true(isnan(c->settings.tuning.center_hz));
    assert_near(c->settings.tuning.rate_hz, 0, 0);
    assert_string_equal(c->settings.tuning.gain, "auto");
    assert_int_equal(c->settings.n, 4096);
    assert_int_equal(c->settings.window.kind, FFT_WINDOW_BLACKMAN_HARRIS);
    assert_near(c->settings.overlap, 50, 0);
    assert_near(c->settings.line_rate_hz, 20, 0);
    assert_int_equal(c->settings.average, 0);
    assert_string_equal(c->server.listen, "127.0.0.1:8010");
    assert_null(c->server.token);
    assert_null(c->output.csv);
    assert_null(c->file);
    assert_int_equal(c->server.max_clients, 256);
    assert_int_equal(c->server.max_views, 64);
    config_case_finish(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(option_names_and_letters_are_unique),
        cmocka_unit_test(documented_option_names_exist),
        cmocka_unit_test(every_default_is_a_valid_value),
        cmocka_unit_test(live_options_are_plain_values_of_the_settings),
        cmocka_unit_test(clients_and_people_have_a_name_for_live_options_with_the_unit),
        cmocka_unit_test(choices_of_detector_match_the_detectors_in_order),
        cmocka_unit_test(yes_and_no_are_the_words_of_every_option_and_others_are_read),
        cmocka_unit_test(windows_named_in_messages_match_the_library),
        cmocka_unit_test(each_option_accepts_valid_values_only),
        cmocka_unit_test(values_reach_their_fields),
        cmocka_unit_test(defaults_match_the_manual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
