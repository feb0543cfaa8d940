/* test_config_file.c - the INI file: what it may hold, and what hostile ones get. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/config/option_table.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/config/config_case.h"

static void file_errors_name_file_and_line(void **state)
{
    (void)state;
    static const struct {
        const char *file, *error;
    } table[] = {
        {"[radio]\n\nrate = x\n", "@:3: rate: bad value 'x': expected a number from 1 to 10G"},
        {"[spectrum]\nwndow = hann\n",
         "@:2: unknown key 'wndow' in [spectrum]: did you mean window?"},
        {"[radio]\nwindow = hann\n",
         "@:2: unknown key 'window' in [radio]: it belongs to [spectrum]"},
        {"[radio]\nversion = yes\n", "@:2: unknown key 'version' in [radio]"},
        {"[radio]\nconfig = x\n", "@:2: unknown key 'config' in [radio]"},
        {"# nothing\n[tuner]\n", "@:2: unknown section [tuner]"},
        {"[]\n", "@:1: unknown section []"},
        {"[radio\nrate = 1M\n", "@:1: section without its closing ']'"},
        {"[radio] rate = 1M\n", "@:1: text after the section's name"},
        {"rate = 1M\n", "@:1: key 'rate' stands before any [section]"},
        {"[radio]\nrate\n", "@:2: expected 'key = value'"},
        {"[radio]\nrate\nrate = x\n", "@:2: expected 'key = value'"},
        {"[radio]\nrate\n[nosuch]\n", "@:2: expected 'key = value'"},
        {"[radio]\nrate = x\nrate\n", "@:2: rate: bad value 'x': expected a number from 1 to 10G"},
        {"[radio]\nrate = 1M\nrate = 2M\n", "@:3: rate: is already set in line 2"},
        {"[radio]\nrate = 1M\n[spectrum]\n[radio]\nrate = 1M\n",
         "@:5: rate: is already set in line 2"},
        {"[radio]\nrate = 1M # fast\n",
         "@:2: rate: bad value '1M # fast': expected a number from 1 to 10G"},
        {"[radio]\nrate = 1M\n  2M\n", "@:3: expected 'key = value'"},
        {"[radio]\n= 1M\n", "@:2: unknown key '' in [radio]"},
        {"[radio]\nantenna = a\tb\n", "@:2: antenna: control character in 'a?b'"},
        {"[source]\ndevice = \x1b[31m\n", "@:2: device: control character in '?[31m'"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        config_case_bad("", table[i].file, table[i].error);
}

/* Whether "" is one of the values: where it is the default, and nowhere else. */
static void empty_value_is_refused_where_a_choice_is_needed(void **state)
{
    (void)state;
    int count = 0;
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        struct reason why = {0};
        char file[128];
        if (!o->choices || !o->section)
            continue;
        snprintf(file, sizeof file, "[%s]\n%s =\n", o->section, o->key);
        reason_set(&why, 0, "@:2: %s: unknown %s '': one of %s", o->key, o->key, o->choices);
        struct config_case k;
        count++;
        if (*o->fallback) {
            config_case_bad("", file, why.sentence);
            continue;
        }
        config_case_good(&k, "", file);
        config_case_finish(&k);
    }
    /* source, dc-spur, detector, csv-format, csv-time, level-unit, cut-format */
    assert_int_equal(count, 7);
}

/* The fields that an empty value leaves are what the rules between options read. */
static void empty_value_of_any_option_loads_or_is_refused_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        char file[128], place[192];
        struct config_case k;
        if (!o->section)
            continue;
        snprintf(file, sizeof file, "[%s]\n%s =\n", o->section, o->key);
        config_case_load(&k, "", file);
        snprintf(place, sizeof place, "%s:2: %s: ", k.file, o->key);
        if (k.err && strncmp(k.why.sentence, place, strlen(place)) != 0)
            fail_msg("%s: %d, %s", o->key, k.err, k.why.sentence);
        config_case_finish(&k);
    }
}

static void comments_spaces_and_line_ends_are_ignored(void **state)
{
    (void)state;
    struct config_case k;
    config_case_good(&k, "",
                     "\xef\xbb\xbf# with a byte order mark\r\n\r\n"
                     "  [radio]  ; a comment\r\n"
                     "\trate   =   2.4M   ; another = one\r\n"
                     "   center = 100M\n"
                     "; [nosuch]\n# x\n"
                     "gain : LNA=20,TIA=8\n"
                     "[server]\nlisten = [::1]:8010\nweb-root = /a;b\n"
                     "[radio] # again\nppm=1");
    assert_near(k.config.settings.tuning.rate_hz, 2.4e6, 0);
    assert_near(k.config.settings.tuning.center_hz, 100e6, 0);
    assert_near(k.config.settings.tuning.ppm, 1, 0);
    assert_string_equal(k.config.settings.tuning.gain, "LNA=20,TIA=8");
    assert_string_equal(k.config.server.listen, "[::1]:8010");
    assert_string_equal(k.config.server.web_root, "/a;b");
    config_case_finish(&k);
}

static void empty_file_loads(void **state)
{
    (void)state;
    struct config_case k;
    config_case_good(&k, "", "");
    config_case_finish(&k);
    config_case_good(&k, "", "\n\n[radio]\n[output]");
    config_case_finish(&k);
}

/* "[source]\n", then a line `replay = aaa...` of `length` characters. */
static char *file_with_a_line_of(size_t length)
{
    static const char head[] = "[source]\nreplay = ";
    const size_t begin = strlen("[source]\n"), size = begin + length + 2;
    char *text = calloc(1, size);
    assert_non_null(text);
    memset(text, 'a', size - 1);
    memcpy(text, head, sizeof head - 1);
    text[size - 2] = '\n';
    return text;
}

static void lines_of_197_characters_are_read_whole(void **state)
{
    (void)state;
    struct config_case k;
    char *text = file_with_a_line_of(197);
    config_case_good(&k, "", text);
    assert_int_equal(strlen(k.config.source.replay), 197 - strlen("replay = "));
    config_case_finish(&k);
    free(text);
}

static void longer_lines_are_refused_rather_than_cut(void **state)
{
    (void)state;
    static const size_t lengths[] = {198, 199, 200, 201, 400, 100000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        char *text = file_with_a_line_of(lengths[i]);
        config_case_bad("", text, "@:2: line is longer than 197 characters");
        free(text);
    }
}

static void nul_bytes_are_refused(void **state)
{
    (void)state;
    static const char text[] = "[radio]\nrate = 1M\0 junk\n";
    struct config_case k;
    char want[128];
    config_case_load_bytes(&k, "", text, sizeof text - 1);
    snprintf(want, sizeof want, "%s:2: NUL byte: not a text file", k.file);
    assert_int_equal(k.err, -EINVAL);
    assert_string_equal(k.why.sentence, want);
    config_case_finish(&k);
}

static void binary_files_give_one_line_of_error(void **state)
{
    (void)state;
    config_case_bad("-c /dev/zero", NULL, "/dev/zero: cannot open: not a regular file");
}

static void long_names_are_shown_cut(void **state)
{
    (void)state;
    struct reason why = {0};
    char name[151], text[200];
    memset(name, 's', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text, "[%s]\n", name);
    struct config_case k;
    config_case_load(&k, "", text);
    reason_set(&why, 0, "%s:1: unknown section [%.60s]", k.file, name);
    assert_string_equal(k.why.sentence, why.sentence);
    config_case_finish(&k);
}

static void every_prefix_of_a_good_file_loads_or_gives_an_error_line(void **state)
{
    (void)state;
    static const char text[] = "# c\n[radio]\nrate = 2.4M ; x\n[server]\nlisten = [::1]:80\n";
    for (size_t size = 0; size < sizeof text; size++) {
        struct config_case k;
        config_case_load_bytes(&k, "", text, size);
        assert_true(k.err == 0 || (k.err == -EINVAL && strstr(k.why.sentence, k.file)));
        config_case_finish(&k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_errors_name_file_and_line),
        cmocka_unit_test(empty_value_is_refused_where_a_choice_is_needed),
        cmocka_unit_test(empty_value_of_any_option_loads_or_is_refused_by_name),
        cmocka_unit_test(comments_spaces_and_line_ends_are_ignored),
        cmocka_unit_test(empty_file_loads),
        cmocka_unit_test(lines_of_197_characters_are_read_whole),
        cmocka_unit_test(longer_lines_are_refused_rather_than_cut),
        cmocka_unit_test(nul_bytes_are_refused),
        cmocka_unit_test(binary_files_give_one_line_of_error),
        cmocka_unit_test(long_names_are_shown_cut),
        cmocka_unit_test(every_prefix_of_a_good_file_loads_or_gives_an_error_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
