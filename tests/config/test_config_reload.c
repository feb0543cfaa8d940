/* test_config_reload.c - SIGHUP: what changes while running, and what waits for a restart. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/reason.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/config/config_case.h"

struct reload {
    struct config_case k;
    struct settings want;
    struct config_changes changes;
    struct reason why;
};

static void begin(struct reload *r, const char *words, const char *file)
{
    config_case_good(&r->k, words, file);
    r->want = r->k.config.settings;
}

static int reload(struct reload *r, const char *file)
{
    config_case_rewrite(&r->k, file);
    return config_reload(&r->k.config, &r->want, &r->changes, NULL, &r->why);
}

static void live_options_reach_the_settings(void **state)
{
    (void)state;
    struct reload r;
    begin(&r, "--source sim", "[radio]\ncenter = 100M\n");
    assert_int_equal(reload(&r,
                            "[radio]\ncenter = 101M\n[spectrum]\nfft-size = 1024\n"
                            "window = kaiser(9)\noverlap = 75\nline-rate = 5\nusable-band = 80%\n"),
                     0);
    assert_string_equal(r.changes.applied,
                        "center, fft-size, window, overlap, line-rate, usable-band");
    assert_string_equal(r.changes.restart, "");
    assert_near(r.want.tuning.center_hz, 101e6, 0);
    assert_int_equal(r.want.n, 1024);
    assert_int_equal(r.want.window.kind, FFT_WINDOW_KAISER);
    assert_near(r.want.overlap, 75, 0);
    assert_near(r.want.line_rate_hz, 5, 0);
    assert_near(r.want.usable_percent, 80, 0);
    assert_int_equal(r.k.config.settings.n, 1024);
    assert_near(r.k.config.source.tuning.center_hz, 100e6, 0);
    config_case_finish(&r.k);
}

static void a_change_can_be_reverted(void **state)
{
    (void)state;
    struct reload r;
    begin(&r, "", "[radio]\ngain = 10\n");
    assert_int_equal(reload(&r, "[radio]\ngain = 20\n"), 0);
    assert_int_equal(reload(&r, "[radio]\ngain = 10\n"), 0);
    assert_string_equal(r.changes.applied, "gain");
    assert_string_equal(r.want.tuning.gain, "10");
    config_case_finish(&r.k);
}

static void changes_by_browsers_stay_if_the_file_did_not_change(void **state)
{
    (void)state;
    struct reload r;
    begin(&r, "", "[radio]\ncenter = 100M\ngain = 10\n");
    r.want.tuning.center_hz = 433.92e6;
    assert_int_equal(reload(&r, "[radio]\ncenter = 100000k\ngain = 20\n"), 0);
    assert_string_equal(r.changes.applied, "gain");
    assert_near(r.want.tuning.center_hz, 433.92e6, 0);
    config_case_finish(&r.k);
}

static void reload_names_measurements_added_changed_and_removed(void **state)
{
    (void)state;
    struct reload r;
    begin(&r, "--measure channel-power,name=line",
          "[measure a]\ntype = channel-power\n[measure b]\ntype = channel-power\n"
          "[measure c]\ntype = channel-power\n");
    assert_int_equal(reload(&r, "[measure a]\ntype = channel-power\n[measure d]\n"
                                "type = channel-power\n[measure b]\ntype = channel-power\n"
                                "width = 25k\n"),
                     0);
    assert_string_equal(r.changes.applied, "measure d, measure b, measure c");
    assert_true(r.changes.measures);
    assert_int_equal(r.k.config.measure_count, 4);
    assert_string_equal(r.k.config.measures[3].name, "line");
    assert_int_equal(reload(&r, "[measure a]\n[measure a]\n"), -EINVAL);
    assert_int_equal(r.k.config.measure_count, 4);
    config_case_finish(&r.k);
}

static int refuse(struct config *fresh, struct reason *why)
{
    (void)fresh;
    snprintf(why->sentence, sizeof why->sentence, "refused");
    return -EINVAL;
}

static void a_configuration_that_the_check_refuses_changes_nothing(void **state)
{
    (void)state;
    struct reload r;
    begin(&r, "", "[radio]\ncenter = 100M\n");
    config_case_rewrite(&r.k, "[radio]\ncenter = 101M\n[measure a]\ntype = x\n");
    assert_int_equal(config_reload(&r.k.config, &r.want, &r.changes, refuse, &r.why), -EINVAL);
    assert_string_equal(r.why.sentence, "refused");
    assert_near(r.want.tuning.center_hz, 100e6, 0);
    assert_int_equal(r.k.config.measure_count, 0);
    config_case_finish(&r.k);
}

static void write_table(const char *path, const char *rows)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "serial = -\ndate = -\nuncertainty = -\n%s", rows);
    assert_int_equal(fclose(f), 0);
}

static void a_calibration_table_is_read_again_and_gives_the_ppm(void **state)
{
    (void)state;
    struct reload r;
    char path[] = "/tmp/fftd-table-XXXXXX", file[128];
    close(mkstemp(path));
    write_table(path, "ppm = 3\n");
    snprintf(file, sizeof file, "[radio]\ncalibration = %s\n", path);
    begin(&r, "", "[radio]\ngain = 10\n");
    assert_int_equal(reload(&r, file), 0);
    assert_string_equal(r.changes.applied, "gain, ppm, calibration");
    assert_string_equal(r.changes.restart, "");
    assert_string_equal(r.k.config.calibration.file, path);
    assert_near(r.want.tuning.ppm, 3, 0);
    write_table(path, "ppm = x\n");
    assert_int_equal(reload(&r, file), -EINVAL);
    assert_non_null(strstr(r.why.sentence, ":4: ppm: 'x' is not a number"));
    assert_near(r.want.tuning.ppm, 3, 0);
    write_table(path, "ppm = 4\n");
    snprintf(file, sizeof file, "[radio]\ncalibration = %s\nppm = 5\n", path);
    assert_int_equal(reload(&r, file), 0);
    assert_near(r.want.tuning.ppm, 5, 0);
    assert_int_equal(reload(&r, ""), 0);
    assert_null(r.k.config.calibration.file);
    assert_near(r.want.tuning.ppm, 0, 0);
    config_case_finish(&r.k);
    unlink(path);
}

static void other_options_are_named_at_each_reload_and_kept(void **state)
{
    (void)state;
    struct reload r;
    begin(&r, "", "[server]\nmax-clients = 5\n");
    const char *listen = r.k.config.server.listen;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(reload(&r, "[server]\nmax-clients = 6\nlisten = 127.0.0.1:80\n"), 0);
        assert_string_equal(r.changes.applied, "");
        assert_string_equal(r.changes.restart, "listen, max-clients");
    }
    assert_int_equal(r.k.config.server.max_clients, 5);
    assert_ptr_equal(r.k.config.server.listen, listen);
    assert_string_equal(listen, "127.0.0.1:8010");
    config_case_finish(&r.k);
}

static void command_line_still_overrides_the_file(void **state)
{
    (void)state;
    struct reload r;
    begin(&r, "-n 128", "[spectrum]\nfft-size = 256\n");
    assert_int_equal(reload(&r, "[spectrum]\nfft-size = 512\n"), 0);
    assert_string_equal(r.changes.applied, "");
    assert_int_equal(r.want.n, 128);
    config_case_finish(&r.k);
}

static void line_length_changes_from_rate_to_average_and_back(void **state)
{
    (void)state;
    struct reload r;
    begin(&r, "", "[spectrum]\nline-rate = 5\n");
    assert_int_equal(reload(&r, "[spectrum]\naverage = 10\n"), 0);
    assert_int_equal(r.want.average, 10);
    assert_int_equal(reload(&r, "[spectrum]\nline-rate = 5\n"), 0);
    assert_int_equal(r.want.average, 0);
    assert_near(r.want.line_rate_hz, 5, 0);
    config_case_finish(&r.k);
}

static void a_broken_file_changes_nothing(void **state)
{
    (void)state;
    struct reload r;
    begin(&r, "", "[spectrum]\nfft-size = 256\n");
    assert_int_equal(reload(&r, "[spectrum]\nfft-size = 512\nwindow = hamm\n"), -EINVAL);
    assert_non_null(strstr(r.why.sentence, ":3: window: unknown window 'hamm'"));
    assert_int_equal(r.want.n, 256);
    assert_int_equal(r.want.window.kind, FFT_WINDOW_BLACKMAN_HARRIS);
    assert_int_equal(r.k.config.settings.n, 256);
    assert_int_equal(reload(&r, "[source]\nsource =\n"), -EINVAL);
    assert_non_null(strstr(r.why.sentence, ":2: source: unknown source '': one of auto"));
    assert_string_equal(r.k.config.source.source, "auto");
    config_case_finish(&r.k);
}

static void an_empty_line_rate_changes_nothing(void **state)
{
    (void)state;
    struct reload r;
    begin(&r, "", "[spectrum]\nline-rate = 5\n");
    assert_int_equal(reload(&r, "[spectrum]\nline-rate =\n"), -EINVAL);
    assert_non_null(strstr(r.why.sentence, ":2: line-rate: bad value ''"));
    assert_near(r.want.line_rate_hz, 5, 0);
    assert_near(r.k.config.settings.line_rate_hz, 5, 0);
    config_case_finish(&r.k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(live_options_reach_the_settings),
        cmocka_unit_test(a_change_can_be_reverted),
        cmocka_unit_test(changes_by_browsers_stay_if_the_file_did_not_change),
        cmocka_unit_test(reload_names_measurements_added_changed_and_removed),
        cmocka_unit_test(a_configuration_that_the_check_refuses_changes_nothing),
        cmocka_unit_test(a_calibration_table_is_read_again_and_gives_the_ppm),
        cmocka_unit_test(other_options_are_named_at_each_reload_and_kept),
        cmocka_unit_test(command_line_still_overrides_the_file),
        cmocka_unit_test(line_length_changes_from_rate_to_average_and_back),
        cmocka_unit_test(a_broken_file_changes_nothing),
        cmocka_unit_test(an_empty_line_rate_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
