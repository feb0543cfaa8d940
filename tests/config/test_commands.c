/* test_commands.c - a command sets what its options set, and a mistake in it gets one line. */
#include <string.h>

#include "daemon/config/commands.h"
#include "daemon/config/loader.h"
#include "daemon/config/option_table.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/config/config_case.h"

static void assert_same(const char *command, const char *options)
{
    struct config_case a, b;
    config_case_good(&a, command, NULL);
    config_case_good(&b, options, NULL);
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        assert_string_equal(config_option_value(&a.config, o)->text,
                            config_option_value(&b.config, o)->text);
    }
    config_case_finish(&a);
    config_case_finish(&b);
}

static void a_command_stands_for_its_options(void **state)
{
    (void)state;
    assert_same("list devices", "--list-devices");
    assert_same("list engines", "--list-engines");
    assert_same("list measurements", "--list-measurements");
    assert_same("list triggers", "--list-triggers");
    assert_same("verify --engine cpu", "--verify --engine cpu");
    assert_same("cut a.cu8 1s:2s,99M:101M --record x --rate 2M --center 100M",
                "--cut 1s:2s,99M:101M --replay a.cu8 --record x --rate 2M --center 100M");
    assert_same("repair recordings", "--repair recordings");
    assert_same("learn-spurs list --center 100M", "--learn-spurs list --center 100M");
    assert_same("hub nats://a", "--hub nats://a");
    assert_same("help", "--help");
    assert_same("version", "--version");
    assert_same("survey archive,width=25k", "--survey archive,width=25k");
    assert_same("calibrate level=-30dBm ppm at=100M --calibration t --center 100.2M",
                "--calibrate-level -30dBm --calibrate-ppm --calibrate-at 100M --calibration t "
                "--center 100.2M");
}

static void options_may_stand_between_its_words(void **state)
{
    (void)state;
    assert_same("repair --engine cpu recordings", "--repair recordings --engine cpu");
    assert_same("repair -- --odd", "--repair=--odd");
}

static void an_earlier_name_of_an_option_is_still_read(void **state)
{
    (void)state;
    size_t aliases = 0;
    assert_same("a.cu8 --fast", "a.cu8 --full-speed");
    assert_same("a.cu8 --stay", "a.cu8 --keep-running");
    assert_same("a.cu8 -o source.fast=yes", "a.cu8 -o source.full-speed=yes");
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        if (!o->alias)
            continue;
        aliases++;
        assert_ptr_equal(option_find(NULL, o->alias), o);
        for (size_t k = 0; k < option_count(); k++)
            assert_string_not_equal(option_at(k)->key, o->alias);
    }
    assert_int_equal(aliases, 2);
}

static void a_flag_reads_a_word_for_yes_or_no_after_it(void **state)
{
    (void)state;
    assert_same("a.cu8 --loop no", "a.cu8 --loop=no");
    assert_same("--source sim --dc-removal on --iq-correction off",
                "--source sim --dc-removal=on --iq-correction=off");
    assert_same("--loop a.cu8 --overwrite", "a.cu8 --loop=yes --overwrite=yes");
    config_case_bad("--source sim --loop=no no", NULL,
                    "no: there is no such recording or command (see fftd help)");
    config_case_bad("--source sim --print-config no", NULL,
                    "no: there is no such recording or command (see fftd help)");
}

static void help_needs_no_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < command_count; i++) {
        char words[64];
        struct config_case k;
        snprintf(words, sizeof words, "%s --help", commands[i].name);
        config_case_good(&k, words, NULL);
        assert_true(k.config.help);
        config_case_finish(&k);
    }
}

static void zero_is_a_level_of_a_calibration(void **state)
{
    (void)state;
    struct config_case k;
    config_case_good(&k, "calibrate level=0 at=100M --calibration t --center 100.2M", NULL);
    assert_true(config_given(&k.config, "calibrate-level"));
    config_case_finish(&k);
}

static void a_file_of_the_same_name_is_given_with_its_folder(void **state)
{
    (void)state;
    assert_same("./verify --format cu8", "--replay ./verify --format cu8");
}

static void each_command_of_the_table_names_options(void **state)
{
    (void)state;
    for (size_t i = 0; i < command_count; i++) {
        const struct command *c = &commands[i];
        assert_ptr_equal(command_find(c->name), c);
        if (c->flag)
            assert_non_null(option_find(NULL, c->flag));
        for (int w = 0; w < COMMAND_WORDS && c->word[w]; w++)
            assert_non_null(option_find(NULL, c->word[w]));
        assert_true(c->flag || c->word[0] || c->prefix);
    }
}

static const struct {
    const char *words, *error;
} mistakes[] = {
    {"list", "fftd list: expected fftd list devices|engines|measurements|triggers"},
    {"list radios", "fftd list: radios: expected fftd list devices|engines|measurements|triggers"},
    {"list devices=1",
     "fftd list: devices=1: expected fftd list devices|engines|measurements|triggers"},
    {"repair", "fftd repair: expected fftd repair PATH"},
    {"repair a b", "fftd repair: b: expected fftd repair PATH"},
    {"verify now", "fftd verify: now: expected fftd verify"},
    {"cut a.cu8", "fftd cut: expected fftd cut RECORDING FROM:TO,LOW:HIGH"},
    {"cut a.cu8 1s:2s,99M:101M", "fftd cut: no directory for recordings: give --record DIR"},
    {"--cut 1s:2s,99M:101M --replay a.cu8",
     "--cut: no directory for recordings: give --record DIR"},
    {"calibrate level at=100M",
     "fftd calibrate: level: expected fftd calibrate [level=DBM] [ppm] at=HZ"},
    {"lsit devices", "lsit: there is no such recording: did you mean fftd list?"},
    {"bogus", "bogus: there is no such recording or command (see fftd help)"},
    {"help lsit", "fftd help lsit: there is no such command: did you mean list?"},
    {"help bogus", "fftd help bogus: there is no such command"},
    {"help cut repair", "fftd help: repair: expected fftd help [COMMAND]"},
    {"learn-spurs", "fftd learn-spurs: expected fftd learn-spurs FILE"},
    {"--engine cpu verify", "verify: the command is the first word: fftd verify ..."},
};

static void a_mistake_is_reported_in_one_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
        config_case_bad(mistakes[i].words, NULL, mistakes[i].error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_stands_for_its_options),
        cmocka_unit_test(options_may_stand_between_its_words),
        cmocka_unit_test(an_earlier_name_of_an_option_is_still_read),
        cmocka_unit_test(a_flag_reads_a_word_for_yes_or_no_after_it),
        cmocka_unit_test(help_needs_no_words),
        cmocka_unit_test(zero_is_a_level_of_a_calibration),
        cmocka_unit_test(a_file_of_the_same_name_is_given_with_its_folder),
        cmocka_unit_test(each_command_of_the_table_names_options),
        cmocka_unit_test(a_mistake_is_reported_in_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
