/* test_rigctl_command.c - the lines of the rigctld protocol, against what rigctld 4.5 answers. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/rigctl/rigctl_command.h"

/* A rig that takes what it is given. */
struct fake {
    double center_hz, passband_hz;
    char mode[16]; /* "": none */
    int refuses;   /* -errno of the next change */
    int changes;
};

static void get(void *user, struct rigctl_setting *out)
{
    const struct fake *f = user;
    *out = (struct rigctl_setting){f->center_hz, f->mode[0] ? f->mode : NULL, f->passband_hz};
}

static int tune(void *user, double center_hz)
{
    struct fake *f = user;
    f->changes++;
    if (f->refuses == 0)
        f->center_hz = center_hz;
    return f->refuses;
}

static int set_mode(void *user, const char *mode, double passband_hz)
{
    struct fake *f = user;
    f->changes++;
    if (f->refuses == 0 && mode != f->mode) /* which it may be: get gives it */
        snprintf(f->mode, sizeof f->mode, "%s", mode);
    if (f->refuses == 0 && !(passband_hz < 0))
        f->passband_hz = passband_hz;
    return f->refuses;
}

static enum rigctl_next answer(struct fake *f, const char *line, char *into, size_t size)
{
    const struct rigctl_rig rig = {get, tune, set_mode, f};
    struct text text = {0};
    const enum rigctl_next next = rigctl_command_run(&rig, line, &text);
    assert_false(text.failed);
    assert_true(text.length < size);
    if (text.length > 0)
        memcpy(into, text.data, text.length);
    into[text.length] = '\0';
    text_finish(&text);
    return next;
}

static void check(struct fake *f, const char *line, const char *wanted)
{
    char got[2048];
    assert_int_equal(answer(f, line, got, sizeof got), RIGCTL_NEXT);
    if (strcmp(got, wanted) != 0)
        fail_msg("'%s' is answered '%s', not '%s'", line, got, wanted);
}

static const struct fake fresh = {.center_hz = 145.8e6, .passband_hz = 16000, .mode = "nfm"};

static void values_are_lines(void **state)
{
    struct fake f = fresh;
    (void)state;
    check(&f, "f", "145800000\n");
    check(&f, "\\get_freq", "145800000\n");
    check(&f, "m", "FM\n16000\n");
    check(&f, "v", "VFOA\n");
    check(&f, "s", "0\nVFOA\n");
    check(&f, "t", "0\n");
    check(&f, "\\chk_vfo", "0\n");
    check(&f, "\\get_powerstat", "1\n");
    check(&f, "M ?", "AM CW USB LSB FM WFM AMS\n");
    check(&f, "", "");
    check(&f, "  \t\r", "");
}

static void a_frequency_is_set_however_it_is_written(void **state)
{
    struct fake f = fresh;
    (void)state;
    check(&f, "F 145950000", "RPRT 0\n");
    assert_near(f.center_hz, 145.95e6, 0);
    check(&f, "F  145800000.250000\r", "RPRT 0\n");
    assert_near(f.center_hz, 145800000.25, 1e-6);
    check(&f, "\\set_freq 10e6", "RPRT -1\n"); /* digits alone */
    check(&f, "F 99000000000", "RPRT 0\n");
    assert_near(f.center_hz, 99e9, 0);
}

static void each_mode_comes_back_by_its_name(void **state)
{
    static const char *const pairs[][2] = {{"AM", "am"},   {"AMS", "sam"}, {"FM", "nfm"},
                                           {"WFM", "wfm"}, {"USB", "usb"}, {"LSB", "lsb"},
                                           {"CW", "cw"}};
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct fake f = fresh;
        char line[32], wanted[32];
        snprintf(line, sizeof line, "M %s 2700", pairs[i][0]);
        check(&f, line, "RPRT 0\n");
        assert_string_equal(f.mode, pairs[i][1]);
        snprintf(wanted, sizeof wanted, "%s\n2700\n", pairs[i][0]);
        check(&f, "m", wanted);
    }
}

static void a_passband_of_0_is_the_modes_own_and_of_minus_1_stays(void **state)
{
    struct fake f = fresh;
    (void)state;
    check(&f, "M FM 0", "RPRT 0\n");
    assert_near(f.passband_hz, 0, 0);
    check(&f, "M FM 12500", "RPRT 0\n");
    check(&f, "M USB -1", "RPRT 0\n");
    assert_near(f.passband_hz, 12500, 0);
}

static void a_mode_that_shares_its_name_stays(void **state)
{
    struct fake f = {.center_hz = 1e8, .passband_hz = 234000, .mode = "mpx"};
    (void)state;
    check(&f, "m", "WFM\n234000\n");
    check(&f, "M WFM -1", "RPRT 0\n");
    assert_string_equal(f.mode, "mpx");
    check(&f, "M FM 0", "RPRT 0\n");
    check(&f, "M WFM 0", "RPRT 0\n");
    assert_string_equal(f.mode, "wfm");
}

static void the_extended_form_names_command_and_values(void **state)
{
    struct fake f = fresh;
    (void)state;
    check(&f, "+f", "get_freq:\nFrequency: 145800000\nRPRT 0\n");
    check(&f, "+\\get_mode", "get_mode:\nMode: FM\nPassband: 16000\nRPRT 0\n");
    check(&f, "+F 145900000", "set_freq: 145900000\nRPRT 0\n");
    check(&f, "+M QAM 0", "set_mode: QAM 0\nRPRT -1\n");
}

static void what_is_wrong_changes_nothing(void **state)
{
    static const char *const invalid[] = {"F",
                                          "F 0",
                                          "F -5",
                                          "F nan",
                                          "F inf",
                                          "F 1e400",
                                          "F 1 2",
                                          "F 145.8M",
                                          "M",
                                          "M QAM 0",
                                          "M FM x",
                                          "M FM 1 2",
                                          "F 9999999999999",
                                          "V VFOB",
                                          "T",
                                          "a b c d e",
                                          "F 00000000000000000000000000000000000001"};
    struct fake f = fresh;
    (void)state;
    for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++)
        check(&f, invalid[i], "RPRT -1\n");
    check(&f, "l STRENGTH", "RPRT -4\n");
    check(&f, "\\set_powerstat 0", "RPRT -4\n");
    check(&f, "T 1", "RPRT -11\n");
    check(&f, "S 1 VFOB", "RPRT -11\n");
    assert_int_equal(f.changes, 0);
}

static void a_rig_that_refuses_is_an_error_of_hamlib(void **state)
{
    struct fake f = fresh;
    (void)state;
    f.refuses = -EINVAL;
    check(&f, "M WFM 5000", "RPRT -1\n");
    f.refuses = -EMFILE;
    check(&f, "F 145900000", "RPRT -7\n");
    f.mode[0] = '\0';
    check(&f, "m", "RPRT -11\n");
}

static void http_and_a_farewell_end_the_connection(void **state)
{
    static const char *const ends[] = {"q", "Q", "\\quit", "GET / HTTP/1.1\r", "POST /x HTTP/1.0"};
    struct fake f = fresh;
    char got[64];
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        assert_int_equal(answer(&f, ends[i], got, sizeof got), RIGCTL_END);
        assert_string_equal(got, i < 3 ? "RPRT 0\n" : "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_lines),
        cmocka_unit_test(a_frequency_is_set_however_it_is_written),
        cmocka_unit_test(each_mode_comes_back_by_its_name),
        cmocka_unit_test(a_passband_of_0_is_the_modes_own_and_of_minus_1_stays),
        cmocka_unit_test(a_mode_that_shares_its_name_stays),
        cmocka_unit_test(the_extended_form_names_command_and_values),
        cmocka_unit_test(what_is_wrong_changes_nothing),
        cmocka_unit_test(a_rig_that_refuses_is_an_error_of_hamlib),
        cmocka_unit_test(http_and_a_farewell_end_the_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
