/* test_config.c - the command line, and precedence. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/config/loader.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/config/config_case.h"

static void command_line_errors_name_their_culprit(void **state)
{
    (void)state;
    static const struct {
        const char *words, *error;
    } table[] = {
        {"--rate abc", "--rate: bad value 'abc': expected a number from 1 to 10G"},
        {"--rate=0", "--rate: bad value '0': expected a number from 1 to 10G"},
        {"--rate nan", "--rate: bad value 'nan': expected a number from 1 to 10G"},
        {"-s -2.4M", "--rate: bad value '-2.4M': expected a number from 1 to 10G"},
        {"--fft-size 4294967296",
         "--fft-size: bad value '4294967296': expected a power of two from 64 to 4194304"},
        {"--window hamm", "--window: unknown window 'hamm': one of rect, hann, hamming, blackman, "
                          "blackman-harris, nuttall, flat-top, kaiser, kaiser(BETA), gauss, "
                          "gauss(ALPHA) (did you mean hann?)"},
        {"--source xyz",
         "--source: unknown source 'xyz': one of auto, soapy, rtl_tcp, spyserver, file, sim"},
        {"--source=",
         "--source: unknown source '': one of auto, soapy, rtl_tcp, spyserver, file, sim"},
        {"--check-config --source=",
         "--source: unknown source '': one of auto, soapy, rtl_tcp, spyserver, file, sim"},
        {"-o source.source=",
         "-o source.source: unknown source '': one of auto, soapy, rtl_tcp, spyserver, file, sim"},
        {"--detector xyz", "--detector: unknown detector 'xyz': one of mean, max, min, sample"},
        {"--threads 1.5", "--threads: bad value '1.5': expected a whole number from 0 to 256"},
        {"--loop=perhaps", "--loop: bad value 'perhaps': expected yes or no"},
        {"--nosuch", "--nosuch: unknown option (see --help)"},
        {"--nosuch=3", "--nosuch=3: unknown option (see --help)"},
        {"-Z", "-Z: unknown option (see --help)"},
        {"--line 3", "--line: ambiguous option: could be --line-rate, --lines"},
        {"--rate", "--rate: needs a value: a number from 1 to 10G"},
        {"-c", "--config: needs a value: a file name"},
        {"--help=3", "--help: takes no value"},
        {"a.cu8 b.cu8", "b.cu8: unexpected argument: the recording is already a.cu8"},
        {"--replay a.cu8 b.cu8", "b.cu8: unexpected argument: the recording is already a.cu8"},
        {"-- a.cu8 b.cu8", "b.cu8: unexpected argument: the recording is already a.cu8"},
        {"-n 64 ", "'': empty argument"},
        {"--csv --json x", "--csv: needs a value, not --json (if it is one: --csv=--json)"},
        {"-o rate=3", "-o rate=3: expected SECTION.KEY=VALUE"},
        {"-o rate", "-o rate: expected SECTION.KEY=VALUE"},
        {"-o =", "-o =: expected SECTION.KEY=VALUE"},
        {"-o radio.rate=0", "-o radio.rate: bad value '0': expected a number from 1 to 10G"},
        {"-o tuner.rate=1M", "-o tuner.rate: unknown section [tuner]"},
        {"-o radio.window=hann",
         "-o radio.window: unknown key 'window' in [radio]: it belongs to [spectrum]"},
        {"-o radio.version=1", "-o radio.version: unknown key 'version' in [radio]"},
        {"-c /nosuch/fftd.conf", "/nosuch/fftd.conf: cannot open: No such file or directory"},
        {"-c /tmp", "/tmp: cannot open: Is a directory"},
        {"--gain a\nb", "--gain: control character in 'a?b'"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        config_case_bad(table[i].words, NULL, table[i].error);
}

static void command_line_overrides_file_overrides_default(void **state)
{
    (void)state;
    static const char file[] = "[spectrum]\nfft-size = 1024\nwindow = hann\n";
    struct config_case k;
    config_case_good(&k, "--fft-size 2048", file);
    assert_int_equal(k.config.settings.n, 2048);
    assert_int_equal(k.config.settings.window.kind, FFT_WINDOW_HANN);
    assert_near(k.config.settings.overlap, 50, 0);
    assert_string_equal(k.config.file, k.file);
    config_case_finish(&k);
}

static void last_of_equal_options_wins(void **state)
{
    (void)state;
    struct config_case k;
    config_case_good(&k, "-n 128 -o spectrum.fft-size=256 --overlap=10 --overlap 20", NULL);
    assert_int_equal(k.config.settings.n, 256);
    assert_near(k.config.settings.overlap, 20, 0);
    config_case_finish(&k);
    config_case_good(&k, "-o spectrum.fft-size=256 -n128", NULL);
    assert_int_equal(k.config.settings.n, 128);
    config_case_finish(&k);
}

static void empty_text_resets_a_key_of_the_file(void **state)
{
    (void)state;
    struct config_case k;
    config_case_good(
        &k, "--csv= --center= --rate=", "[output]\ncsv = x\n[radio]\nrate = 1M\ncenter = 5\n");
    assert_null(k.config.output.csv);
    assert_true(isnan(k.config.settings.tuning.center_hz));
    assert_near(k.config.settings.tuning.rate_hz, 0, 0);
    config_case_finish(&k);
    config_case_good(&k, "--gain=", NULL);
    assert_string_equal(k.config.settings.tuning.gain, "");
    config_case_finish(&k);
    config_case_bad("--line-rate=", NULL,
                    "--line-rate: bad value '': expected a number from 0.001 to 100k");
    config_case_bad(
        "--window=", NULL,
        "--window: unknown window '': one of rect, hann, hamming, blackman, "
        "blackman-harris, nuttall, flat-top, kaiser, kaiser(BETA), gauss, gauss(ALPHA)");
}

static void server_and_pace_follow_from_the_source(void **state)
{
    (void)state;
    static const struct {
        const char *words, *file;
        bool server, realtime;
    } table[] = {
        {"", NULL, true, true},
        {"--source soapy", NULL, true, true},
        {"--source sim", NULL, true, true},
        {"--source sim --fast", NULL, false, false},
        {"--source sim --fast --listen 127.0.0.1:0", NULL, true, false},
        {"--source sim --listen none", NULL, false, true},
        {"--replay x", NULL, false, false},
        {"--source file --replay x", NULL, false, false},
        {"--replay x --listen 127.0.0.1:8010", NULL, true, false},
        {"--replay x -o server.listen=127.0.0.1:8010", NULL, true, false},
        {"--replay x", "[server]\nlisten = 127.0.0.1:8010\n", true, false},
        {"--replay x", "[server]\nmax-clients = 5\n", false, false},
        {"--replay x --realtime", NULL, true, true},
        {"--replay x --realtime=no", NULL, false, false},
        {"--replay x --loop", NULL, true, true},
        {"--replay x --loop --fast", NULL, true, false},
        {"--replay x --stay", NULL, true, true},
        {"--replay x --speed 0.5", NULL, true, true},
        {"--replay x --from 1 --to 2", NULL, false, false},
        {"--replay x --realtime --listen none", NULL, false, true},
        {"--replay x --fast", NULL, false, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct config_case k;
        config_case_good(&k, table[i].words, table[i].file);
        if (k.config.server.enabled != table[i].server)
            fail_msg("'%s': server %d", table[i].words, k.config.server.enabled);
        if (k.config.source.realtime != table[i].realtime)
            fail_msg("'%s': realtime %d", table[i].words, k.config.source.realtime);
        config_case_finish(&k);
    }
}

static void a_limited_run_waits_ten_seconds_for_its_radio(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        double wait_s;
    } table[] = {
        {"-d driver=x", 0},
        {"-d driver=x --duration 1", 10},
        {"-d driver=x --lines 1", 10},
        {"-d driver=x --lines 1 --wait-device 0", 0},
        {"-d driver=x --wait-device 1min", 60},
        {"-d driver=x --lines 1 --wait-device=", 10},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct config_case k;
        config_case_good(&k, table[i].words, NULL);
        assert_near(k.config.source.wait_s, table[i].wait_s, 0);
        config_case_finish(&k);
    }
}

static void outputs_cannot_overwrite_the_recording_under_other_names(void **state)
{
    (void)state;
    struct reason why = {0};
    char path[] = "/tmp/fftd_config_XXXXXX", other[64], words[256];
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    snprintf(other, sizeof other, "%s.link", path);
    assert_int_equal(symlink(path, other), 0);
    snprintf(words, sizeof words, "--replay %s --csv %s", path, other);
    reason_set(&why, 0, "--replay and --csv are both '%s'", other);
    config_case_bad(words, NULL, why.sentence);
    unlink(other);
    unlink(path);
}

static void outputs_may_share_dev_null_and_replay_the_dash(void **state)
{
    (void)state;
    struct config_case k;
    config_case_good(&k, "--replay - --csv - --json /dev/null --stats /dev/null", NULL);
    config_case_finish(&k);
}

static void token_on_the_command_line_warns(void **state)
{
    (void)state;
    struct config_case k;
    config_case_good(&k, "--token x", NULL);
    assert_non_null(strstr(config_warning(&k.config), "--token-file"));
    config_case_finish(&k);
    config_case_good(&k, "--token-file x", NULL);
    assert_null(config_warning(&k.config));
    config_case_finish(&k);
}

static void flags_and_actions_need_no_value(void **state)
{
    (void)state;
    struct config_case k;
    config_case_good(&k, "--check-config --bias-tee=off --list-devices -h -V", NULL);
    assert_true(k.config.check_config && k.config.list_devices && k.config.help);
    assert_true(k.config.version);
    assert_false(k.config.source.bias_tee || k.config.list_engines || k.config.print_config);
    config_case_finish(&k);
}

static void arguments_keep_their_order_and_may_be_abbreviated(void **state)
{
    (void)state;
    struct reason why = {0};
    char *argv[] = {(char *)"fftd", (char *)"--fft", (char *)"256", NULL};
    struct config c;
    assert_int_equal(config_load(&c, 3, argv, &why), 0);
    assert_int_equal(c.settings.n, 256);
    config_finish(&c);
    config_finish(&c);
}

static void lists_may_have_spaces_around_their_commas(void **state)
{
    (void)state;
    struct config_case k;
    config_case_good(&k, "",
                     "[server]\nallow-host = a , b.c\nallow-origin = https://a, http://b\n"
                     "[source]\ndevice = driver=rtlsdr, serial=1\n");
    assert_string_equal(k.config.server.allow_host, "a , b.c");
    config_case_finish(&k);
    config_case_bad("", "[server]\nallow-host = a, , b\n",
                    "@:2: allow-host: bad value 'a, , b': expected host names separated by commas");
    config_case_bad("", "[server]\nallow-host = a b\n",
                    "@:2: allow-host: bad value 'a b': expected host names separated by commas");
}

static void word_without_an_option_is_the_recording(void **state)
{
    (void)state;
    static const struct {
        const char *words, *recording;
    } table[] = {
        {"a.cu8", "a.cu8"},
        {"a.cu8 --csv out", "a.cu8"},
        {"--csv out a.cu8", "a.cu8"},
        {"--realtime a.cu8", "a.cu8"},
        {"-n 256 a.cu8 --csv out", "a.cu8"},
        {"- --csv out", "-"},
        {"--csv out -- --a.cu8", "--a.cu8"},
        {"--source file a.cu8", "a.cu8"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct config_case k;
        config_case_good(&k, table[i].words, NULL);
        if (!k.config.source.replay || strcmp(k.config.source.replay, table[i].recording) != 0)
            fail_msg("'%s': replay %s", table[i].words, k.config.source.replay);
        assert_int_equal(config_origin_of(&k.config, "replay"), FROM_ARGS);
        config_case_finish(&k);
    }
    struct config_case k;
    config_case_good(&k, "a.cu8", "[source]\nsource = sim\nreplay = b.cu8\n");
    assert_string_equal(k.config.source.replay, "a.cu8");
    assert_string_equal(k.config.source.source, "auto");
    config_case_finish(&k);
}

static void a_refusal_needs_no_reason(void **state)
{
    (void)state;
    char *argv[] = {(char *)"fftd", (char *)"--rate=x", NULL};
    struct reason why = {.key = "stale"};
    struct config c;
    assert_int_equal(config_load(&c, 2, argv, NULL), -EINVAL);
    config_finish(&c);
    assert_int_equal(config_load(&c, 2, argv, &why), -EINVAL);
    assert_memory_equal(why.sentence, "--rate:", 7);
    assert_string_equal(why.key, "");
    assert_int_equal(why.code, -EINVAL);
    config_finish(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(command_line_errors_name_their_culprit),
        cmocka_unit_test(command_line_overrides_file_overrides_default),
        cmocka_unit_test(last_of_equal_options_wins),
        cmocka_unit_test(empty_text_resets_a_key_of_the_file),
        cmocka_unit_test(server_and_pace_follow_from_the_source),
        cmocka_unit_test(a_limited_run_waits_ten_seconds_for_its_radio),
        cmocka_unit_test(outputs_cannot_overwrite_the_recording_under_other_names),
        cmocka_unit_test(outputs_may_share_dev_null_and_replay_the_dash),
        cmocka_unit_test(token_on_the_command_line_warns),
        cmocka_unit_test(flags_and_actions_need_no_value),
        cmocka_unit_test(arguments_keep_their_order_and_may_be_abbreviated),
        cmocka_unit_test(lists_may_have_spaces_around_their_commas),
        cmocka_unit_test(word_without_an_option_is_the_recording),
        cmocka_unit_test(a_refusal_needs_no_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
