/* test_drop_ins.c - the files of FILE.d: their order, what they replace, and what their mistakes
 * are called. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/cmocka_all.h"
#include "tests/support/config/config_case.h"

/* A folder with fftd.conf and files of fftd.conf.d. */
struct folder {
    char path[64], conf[80], drop_ins[96];
    struct config config;
    struct reason why;
    int err;
};

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void make(struct folder *f, const char *text)
{
    memset(f, 0, sizeof *f);
    strcpy(f->path, "/tmp/fftd_drop_ins_XXXXXX");
    assert_non_null(mkdtemp(f->path));
    snprintf(f->conf, sizeof f->conf, "%s/fftd.conf", f->path);
    snprintf(f->drop_ins, sizeof f->drop_ins, "%s.d", f->conf);
    assert_int_equal(mkdir(f->drop_ins, 0700), 0);
    write_text(f->conf, text);
}

static void add(struct folder *f, const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", f->drop_ins, name);
    write_text(path, text);
}

/* With this option of the command line; NULL: none. */
static void load(struct folder *f, const char *option)
{
    char *argv[] = {(char *)"fftd", (char *)"-c", f->conf, (char *)option, NULL};
    config_finish(&f->config);
    f->err = config_load(&f->config, option ? 4 : 3, argv, &f->why);
}

static void load_good(struct folder *f, const char *option)
{
    load(f, option);
    if (f->err)
        fail_msg("refused: %s", f->why.sentence);
}

/* `error` follows the path of the folder of drop-ins. */
static void load_bad(struct folder *f, const char *error)
{
    load(f, NULL);
    assert_int_equal(f->err, -EINVAL);
    assert_memory_equal(f->why.sentence, f->drop_ins, strlen(f->drop_ins));
    assert_string_equal(f->why.sentence + strlen(f->drop_ins), error);
}

static void finish(struct folder *f)
{
    char command[160];
    config_finish(&f->config);
    snprintf(command, sizeof command, "rm -rf %s", f->path);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): a folder of this test */
}

static void later_names_win_over_earlier_ones_and_the_command_line_over_all(void **state)
{
    (void)state;
    struct folder f;
    make(&f, "[radio]\nrate = 1M\ncenter = 100M\nppm = 1\n");
    load_good(&f, NULL);
    assert_near(f.config.settings.tuning.rate_hz, 1e6, 0);
    add(&f, "9.conf", "[radio]\nrate = 4M\n");
    add(&f, "10.conf", "[radio]\nrate = 3M\ncenter = 200M\n"); /* '1' sorts before '9' */
    load_good(&f, NULL);
    assert_near(f.config.settings.tuning.rate_hz, 4e6, 0);
    assert_near(f.config.settings.tuning.center_hz, 200e6, 0);
    assert_near(f.config.settings.tuning.ppm, 1, 0);
    load_good(&f, "--rate=2M");
    assert_near(f.config.settings.tuning.rate_hz, 2e6, 0);
    finish(&f);
}

static void other_names_are_no_settings(void **state)
{
    (void)state;
    static const char *const names[] = {"a.conf.dpkg-new", "a.conf~", ".a.conf", "conf",
                                        ".conf",           "README"};
    struct folder f;
    make(&f, "[radio]\nrate = 1M\n");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        add(&f, names[i], "nonsense");
    load_good(&f, NULL);
    add(&f, "a.conf", "nonsense");
    load_bad(&f, "/a.conf:1: expected 'key = value'");
    finish(&f);
}

static void mistakes_name_the_drop_in_and_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } table[] = {
        {"[radio]\nrate = x\n", "/a.conf:2: rate: bad value 'x': expected a number from 1 to 10G"},
        {"[radio]\nrate = 2M\nrate = 3M\n", "/a.conf:3: rate: is already set in line 2"},
        {"[tuner]\n", "/a.conf:1: unknown section [tuner]"},
        {"[measure a]\ntype = x\n[measure a]\n", "/a.conf:3: [measure a] is already in line 1"},
    };
    struct folder f;
    make(&f, "[radio]\nrate = 1M\n");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        add(&f, "a.conf", table[i].text);
        load_bad(&f, table[i].error);
    }
    finish(&f);
}

/* Two options that exclude each other: the drop-in's stays. In one place they are an error. */
static void a_drop_in_overrides_what_its_option_excludes(void **state)
{
    (void)state;
    struct folder f;
    make(&f, "[spectrum]\naverage = 4\n");
    add(&f, "a.conf", "[spectrum]\nline-rate = 10\n");
    load_good(&f, NULL);
    assert_false(config_given(&f.config, "average"));
    assert_true(config_given(&f.config, "line-rate"));
    add(&f, "a.conf", "[spectrum]\nline-rate = 10\naverage = 4\n");
    load(&f, NULL);
    assert_int_equal(f.err, -EINVAL);
    assert_non_null(strstr(f.why.sentence, ".d/a.conf:3: average and "));
    finish(&f);
}

static void a_measurement_of_a_drop_in_replaces_the_one_of_its_name(void **state)
{
    (void)state;
    struct folder f;
    make(&f, "[measure a]\ntype = channel-power\n[measure b]\ntype = channel-power\n");
    add(&f, "1.conf", "[measure a]\ntype = obw\n[trigger t]\nlevel = -20\n");
    add(&f, "2.conf", "[trigger t]\nlevel = -30\n");
    load_good(&f, NULL);
    assert_int_equal(f.config.measure_count, 2);
    assert_string_equal(f.config.measures[0].name, "b");
    assert_string_equal(f.config.measures[1].name, "a");
    assert_string_equal(option_text_value(&f.config.measures[1], "type"), "obw");
    assert_int_equal(f.config.trigger_count, 1);
    assert_string_equal(option_text_value(&f.config.triggers[0], "level"), "-30");
    assert_non_null(
        strstr(option_text_origin(&f.config.triggers[0], f.conf, "--trigger"), ".d/2.conf"));
    finish(&f);
}

static void a_reload_reads_them_again(void **state)
{
    (void)state;
    struct folder f;
    make(&f, "[radio]\ncenter = 100M\n");
    add(&f, "a.conf", "[radio]\ncenter = 101M\n");
    load_good(&f, NULL);
    struct settings settings = f.config.settings;
    struct config_changes changes;
    add(&f, "b.conf", "[radio]\ncenter = 102M\n");
    assert_int_equal(config_reload(&f.config, &settings, &changes, NULL, &f.why), 0);
    assert_string_equal(changes.applied, "center");
    assert_near(settings.tuning.center_hz, 102e6, 0);
    add(&f, "b.conf", "[radio]\ncenter = x\n");
    assert_int_equal(config_reload(&f.config, &settings, &changes, NULL, &f.why), -EINVAL);
    assert_near(settings.tuning.center_hz, 102e6, 0);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_names_win_over_earlier_ones_and_the_command_line_over_all),
        cmocka_unit_test(other_names_are_no_settings),
        cmocka_unit_test(mistakes_name_the_drop_in_and_its_line),
        cmocka_unit_test(a_drop_in_overrides_what_its_option_excludes),
        cmocka_unit_test(a_measurement_of_a_drop_in_replaces_the_one_of_its_name),
        cmocka_unit_test(a_reload_reads_them_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
