/*
 * test_config_docs.c - --print-config and --help, and the committed files that come from the table.
 *
 *     test_config_docs --write     renews config/fftd.conf, config/completions/,
 *                                  man/commands.scd, man/options.scd, man/settings.scd,
 *                                  man/measurements.scd, man/triggers.scd and man/channels.scd
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/channel/named/channel_setup.h"
#include "daemon/config/completion.h"
#include "daemon/config/loader.h"
#include "daemon/config/option_table.h"
#include "daemon/measure/measure_setup.h"
#include "daemon/trigger/trigger_setup.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/config/config_case.h"

static void print_options(const struct config *c, FILE *out)
{
    (void)c;
    config_print_man_options(out);
}

static void print_commands(const struct config *c, FILE *out)
{
    (void)c;
    config_print_man_commands(out);
}

static void print_settings(const struct config *c, FILE *out)
{
    (void)c;
    config_print_man_settings(out);
}

static void print_measurements(const struct config *c, FILE *out)
{
    (void)c;
    measure_print_man(out);
}

static void print_triggers(const struct config *c, FILE *out)
{
    (void)c;
    trigger_print_man(out);
}

static void print_channels(const struct config *c, FILE *out)
{
    (void)c;
    channel_print_man(out);
}

static void print_bash(const struct config *c, FILE *out)
{
    (void)c;
    completion_print("bash", out);
}

static void print_zsh(const struct config *c, FILE *out)
{
    (void)c;
    completion_print("zsh", out);
}

static void print_fish(const struct config *c, FILE *out)
{
    (void)c;
    completion_print("fish", out);
}

static void print_help(const struct config *c, FILE *out)
{
    config_print_help(c, out);
}

static const struct document {
    const char *file;
    void (*print)(const struct config *c, FILE *out);
} documents[] = {
    {FFTD_SOURCE_DIR "/config/fftd.conf", config_print},
    {FFTD_SOURCE_DIR "/man/commands.scd", print_commands},
    {FFTD_SOURCE_DIR "/man/options.scd", print_options},
    {FFTD_SOURCE_DIR "/man/settings.scd", print_settings},
    {FFTD_SOURCE_DIR "/man/measurements.scd", print_measurements},
    {FFTD_SOURCE_DIR "/man/triggers.scd", print_triggers},
    {FFTD_SOURCE_DIR "/man/channels.scd", print_channels},
    {FFTD_SOURCE_DIR "/config/completions/bash", print_bash},
    {FFTD_SOURCE_DIR "/config/completions/zsh", print_zsh},
    {FFTD_SOURCE_DIR "/config/completions/fish", print_fish},
};

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s is missing: run this test with --write", path);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_in_range(fread(text, 1, (1 << 20) - 1, file), 1, (1 << 20) - 2);
    fclose(file);
    return text;
}

static void committed_files_match_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        char *made = config_case_text(documents[i].print, NULL);
        char *committed = read_text(documents[i].file);
        if (strcmp(made, committed) != 0)
            fail_msg("%s is not what the tables say: run this test with --write",
                     documents[i].file);
        free(made);
        free(committed);
    }
}

static void print_config_without_options_is_the_committed_file(void **state)
{
    (void)state;
    struct config_case k;
    config_case_good(&k, "", NULL);
    char *printed = config_case_text(config_print, &k.config);
    char *committed = read_text(documents[0].file);
    assert_string_equal(printed, committed);
    config_case_finish(&k);
    config_case_good(&k, "--check-config", committed);
    config_case_finish(&k);
    free(printed);
    free(committed);
}

/* Loads what print_config prints for `words`, and wants the same texts and derived fields. */
static void assert_round_trip(const char *words)
{
    struct config_case a, b;
    config_case_good(&a, words, NULL);
    char *printed = config_case_text(config_print, &a.config);
    config_case_good(&b, "", printed);
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        if (o->section)
            assert_string_equal(config_option_value(&a.config, o)->text,
                                config_option_value(&b.config, o)->text);
    }
    assert_int_equal(a.config.server.enabled, b.config.server.enabled);
    assert_int_equal(a.config.source.realtime, b.config.source.realtime);
    char *again = config_case_text(config_print, &b.config);
    assert_string_equal(printed, again);
    free(printed);
    free(again);
    config_case_finish(&a);
    config_case_finish(&b);
}

static void printed_settings_read_back_the_same(void **state)
{
    (void)state;
    assert_round_trip("");
    assert_round_trip("--replay x.cu8");
    assert_round_trip("--replay x.cu8 --listen 127.0.0.1:8010");
    assert_round_trip("--source sim --listen [::1]:0 --rate 2.4M --gain LNA=20,TIA=8 -w kaiser(9) "
                      "--device seed=1 --average 10 --token-file /run/t --allow-origin https://a");
    assert_round_trip(
        "--gain= --antenna= --line-rate 5 --csv - --detector max --bias-tee --ppm -1.5");
}

static void printed_measurements_read_back_the_same(void **state)
{
    (void)state;
    struct config_case a, b;
    config_case_good(&a, "--measure channel-power,width=25k --measure channel-power,count=3",
                     "[measure voice]\ntype = channel-power\ncenter = 433.92M ; the channel\n");
    char *printed = config_case_text(config_print, &a.config);
    config_case_good(&b, "", printed);
    assert_int_equal(a.config.measure_count, 3);
    assert_int_equal(b.config.measure_count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(option_text_equal(&a.config.measures[i], &b.config.measures[i]));
    assert_string_equal(b.config.measures[0].name, "voice");
    assert_string_equal(option_text_value(&b.config.measures[0], "center"), "433.92M");
    assert_string_equal(b.config.measures[2].name, "channel-power-2");
    free(printed);
    config_case_finish(&a);
    config_case_finish(&b);
}

static void print_config_shows_no_token(void **state)
{
    (void)state;
    struct config_case k;
    config_case_good(&k, "--token sesame", NULL);
    char *printed = config_case_text(config_print, &k.config);
    assert_null(strstr(printed, "sesame"));
    assert_non_null(strstr(printed, "# (set, and not shown)\n#token =\n"));
    free(printed);
    config_case_finish(&k);
}

/* Such values come from the command line only; printed as settings they would be read as others. */
static void values_that_do_not_fit_a_file_are_printed_as_comments(void **state)
{
    (void)state;
    char *argv[] = {(char *)"fftd", (char *)"--csv", (char *)"a ;b", NULL};
    struct config c;
    assert_int_equal(config_load(&c, 3, argv, NULL), 0);
    char *printed = config_case_text(config_print, &c);
    assert_non_null(strstr(printed, "\n# (set, but a file cannot hold this value)\n#csv = a ;b\n"));
    free(printed);
    config_finish(&c);
}

static void lines_of_the_printed_file_can_be_read_by_inih(void **state)
{
    (void)state;
    char *text = config_case_text(config_print, NULL);
    for (const char *at = text; *at; at += strcspn(at, "\n") + 1)
        assert_in_range(strcspn(at, "\n"), 0, 100);
    free(text);
}

/* Whether the text has a row of the option: "  -r, --replay FILE", "      --verify". */
static bool has_row(const char *help, const struct config_option *o)
{
    char row[64], letter[] = "   ";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c,", o->letter);
    snprintf(row, sizeof row, "\n  %s --%s", letter, o->key);
    for (const char *at = help; (at = strstr(at, row)); at++)
        if (strchr(" \n", at[strlen(row)]))
            return true;
    return false;
}

static void assert_fits_80_columns(const char *text)
{
    for (const char *at = text; *at; at += strcspn(at, "\n") + 1)
        if (strcspn(at, "\n") > 80)
            fail_msg("too wide: %.*s", (int)strcspn(at, "\n"), at);
}

static void help_names_every_option_and_fits_80_columns(void **state)
{
    (void)state;
    char *help = config_case_text(print_help, NULL);
    for (size_t i = 0; i < option_count(); i++) {
        const bool of_command = command_of(option_at(i)) != NULL;
        if (has_row(help, option_at(i)) == of_command)
            fail_msg("--help and --%s", option_at(i)->key);
    }
    assert_fits_80_columns(help);
    free(help);
}

static void help_of_a_command_names_its_options_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < command_count; i++) {
        const struct command *c = &commands[i];
        struct config config = {.command = c};
        char *help = config_case_text(print_help, &config), usage[64];
        snprintf(usage, sizeof usage, "Usage: fftd %s ", c->name);
        if (c->names_command)
            snprintf(usage, sizeof usage, "Usage: fftd [COMMAND]");
        assert_int_equal(strncmp(help, usage, strlen(usage)), 0);
        for (size_t k = 0; !c->names_command && k < option_count(); k++)
            assert_int_equal(has_row(help, option_at(k)), command_sets(c, option_at(k)));
        assert_fits_80_columns(help);
        free(help);
    }
}

static void actions_print_and_others_do_not(void **state)
{
    (void)state;
    static const struct {
        const char *words, *begins;
    } table[] = {
        {"--check-config", NULL},
        {"--version", "fftd " FFTD_VERSION "\ncommit: "},
        {"--help", "Usage: fftd"},
        {"--print-config", "# fftd.conf"},
        {"--help --fast", "Usage: fftd"},
        {"help", "Usage: fftd [COMMAND]"},
        {"help cut", "Usage: fftd cut RECORDING"},
        {"cut --help", "Usage: fftd cut RECORDING"},
        {"version", "fftd " FFTD_VERSION "\n"},
        {"--list-engines", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct config_case k;
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        config_case_good(&k, table[i].words, NULL);
        assert_int_equal(config_action(&k.config, out), table[i].begins != NULL);
        fclose(out);
        assert_int_equal(strncmp(text, table[i].begins ? table[i].begins : "",
                                 table[i].begins ? strlen(table[i].begins) : 1),
                         0);
        free(text);
        config_case_finish(&k);
    }
}

static int write_documents(void)
{
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        FILE *out = fopen(documents[i].file, "w");
        if (!out) {
            perror(documents[i].file);
            return 1;
        }
        documents[i].print(NULL, out);
        fclose(out);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(committed_files_match_the_table),
        cmocka_unit_test(print_config_without_options_is_the_committed_file),
        cmocka_unit_test(printed_settings_read_back_the_same),
        cmocka_unit_test(printed_measurements_read_back_the_same),
        cmocka_unit_test(print_config_shows_no_token),
        cmocka_unit_test(values_that_do_not_fit_a_file_are_printed_as_comments),
        cmocka_unit_test(lines_of_the_printed_file_can_be_read_by_inih),
        cmocka_unit_test(help_names_every_option_and_fits_80_columns),
        cmocka_unit_test(help_of_a_command_names_its_options_alone),
        cmocka_unit_test(actions_print_and_others_do_not),
    };
    if (argc > 1 && strcmp(argv[1], "--write") == 0)
        return write_documents();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
