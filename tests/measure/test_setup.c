/* test_setup.c - measurements as text: what the file, --measure and clients may write. */
#include "tests/support/cmocka_all.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/line/trace.h"
#include "daemon/measure/measure_setup.h"
#include "tests/support/config/config_case.h"

/* Reads one --measure and checks it as a client's. */
static int create(struct measure_setup **out, const char *line, struct reason *why)
{
    struct option_text text;
    int err = option_text_split(&text, line, why);
    *out = NULL;
    if (err == 0)
        err = measure_setup_create(out, &text, NULL, why);
    option_text_finish(&text);
    return err;
}

static struct measure_setup *created(const char *line)
{
    struct measure_setup *setup;
    struct reason why = {0};
    if (create(&setup, line, &why) < 0)
        fail_msg("%s", why.sentence);
    assert(setup);
    return setup;
}

static void refused(const char *line, const char *reason)
{
    struct measure_setup *setup;
    struct reason why = {0};
    assert_int_equal(create(&setup, line, &why), -EINVAL);
    assert_null(setup);
    assert_string_equal(why.sentence, reason);
}

static void a_client_may_not_name_a_file(void **state)
{
    (void)state;
    refused("mask,file=/etc/passwd", "file: only the configuration may name a file");
    refused("mask,file=", "file: only the configuration may name a file");
}

static void options_of_the_type_and_of_every_type_are_set(void **state)
{
    (void)state;
    struct measure_setup *setup = created("channel-power,center=433.92 MHz,width=25k,detector=max,"
                                          "trace=log-average,count=100,name=voice");
    const struct {
        double center_hz, width_hz;
    } *state_of_type = setup->state;
    assert_string_equal(setup->text.name, "voice");
    assert_string_equal(setup->ops->name, "channel-power");
    assert_near(state_of_type->center_hz, 433.92e6, 1e-3);
    assert_near(state_of_type->width_hz, 25e3, 1e-6);
    assert_int_equal(setup->detector.index, 1);
    assert_int_equal(setup->trace, TRACE_LOG_AVERAGE);
    assert_int_equal(setup->count, 100);
    measure_setup_destroy(setup);
}

static void a_percentile_is_a_detector(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double percent;
    } cases[] = {{"marker,detector=median", 50}, {"marker,detector=p99.9", 99.9}};
    for (size_t i = 0; i < 2; i++) {
        struct measure_setup *setup = created(cases[i].text);
        assert_near(setup->detector.percent, cases[i].percent, 1e-9);
        measure_setup_destroy(setup);
    }
}

static void mean_and_clear_write_are_the_defaults(void **state)
{
    (void)state;
    struct measure_setup *setup = created("channel-power");
    assert_int_equal(setup->detector.index, 0);
    assert_int_equal(setup->trace, TRACE_CLEAR_WRITE);
    measure_setup_destroy(setup);
}

static void the_choices_of_trace_are_the_functions_of_traces(void **state)
{
    (void)state;
    for (unsigned f = 0; f < TRACE_FUNCTIONS; f++) {
        char line[80];
        snprintf(line, sizeof line, "channel-power,trace=%s", trace_function_name(f));
        struct measure_setup *setup = created(line);
        assert_int_equal(setup->trace, f);
        measure_setup_destroy(setup);
    }
}

static void a_mistake_gets_one_line_that_names_it(void **state)
{
    (void)state;
    refused("", "expected TYPE,KEY=VALUE,... as in channel-power,width=25k");
    refused("type=channel-power", "expected TYPE,KEY=VALUE,... as in channel-power,width=25k");
    refused("channel-power,", "expected KEY=VALUE after the comma");
    refused("channel-power,width", "expected KEY=VALUE, not 'width'");
    refused("channel-power,=5", "expected KEY=VALUE, not '=5'");
    refused("channel-power,width=1k,width=2k", "width: is given twice");
    refused("channel-power,name=a,name=b", "name: is given twice");
    refused("channel-power,type=x", "type: is given twice");
    refused("channel-power,widht=1k", "unknown key 'widht' of channel-power: did you mean width?");
    refused(
        "channel-power,colour=1",
        "unknown key 'colour' of channel-power: it has center, width, detector, trace, count, vbw, "
        "math, math-reference");
    refused("channel-power,center=100M",
            "center: has no effect without width: the whole span is measured");
    refused("fm,center=100M",
            "center: has no effect without bandwidth: the whole span is measured");
    refused("zero-span,center=100M",
            "center: has no effect without rbw: the whole span is measured");
    refused("channel-power,width=25x", "width: bad value '25x': expected a number from 0 to 10G");
    refused("channel-power,width=12,5k",
            "width: bad value '12,5k': expected a number from 0 to 10G "
            "(did you mean 12.5k?)");
    refused("channel-power,trace=max-hold,vbw=10", "vbw: the trace max-hold does not average");
    refused("channel-power,trace=average,vbw=10,count=3",
            "count and vbw: one follows from the other");
    refused("channel-power,math=minus", "math and math-reference belong together");
    refused("channel-power,math-reference=a", "math and math-reference belong together");
    refused("channel-power,math=minus,math-reference=a/b",
            "math-reference: bad value 'a/b': expected the name of a reference");
    refused(
        "channel-power,math=minus,reference=a",
        "unknown key 'reference' of channel-power: it has center, width, detector, trace, count, "
        "vbw, math, math-reference");
    refused("ccdf,math=minus,math-reference=a", "math: ccdf measures samples, which have no trace");
    refused("channel-power,detector=peak",
            "detector: unknown detector 'peak': one of mean, max, "
            "min, sample, median, or a percentile as p90 (did you mean max?)");
    refused("zero-span,detector=p90",
            "detector: zero-span measures samples, which have no percentiles");
}

static char *list_types(void)
{
    const struct option_family family = measure_family();
    return option_family_types(&family);
}

static void an_unknown_type_gets_the_list_and_the_nearest(void **state)
{
    (void)state;
    struct reason why = {0};
    char *types = list_types();
    assert_non_null(types);
    reason_set(&why, 0,
               "type: unknown type 'chanel-power': one of %s (did you mean channel-power?)", types);
    refused("chanel-power", why.sentence);
    reason_set(&why, 0, "type: unknown type 'x': one of %s", types);
    refused("x", why.sentence);
    free(types);
}

static void commas_without_a_key_belong_to_the_value(void **state)
{
    (void)state;
    struct option_text text;
    struct reason why = {0};
    assert_int_equal(option_text_split(&text, "t,offsets=5k,10k,,20k,b=,c=x,", &why), 0);
    assert_string_equal(option_text_value(&text, "type"), "t");
    assert_string_equal(option_text_value(&text, "offsets"), "5k,10k,,20k");
    assert_string_equal(option_text_value(&text, "b"), "");
    assert_string_equal(option_text_value(&text, "c"), "x,");
    option_text_finish(&text);
}

static void names_are_safe_in_paths_labels_and_sections(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",     ".",   "..",   "a/b",      "a b",
        "a\"b", "a]b", "a\nb", "\xc3\xa4", "12345678901234567890123456789012345678901"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(option_name_is_valid(bad[i]));
    assert_true(option_name_is_valid("Relay_433.92M-2"));
    config_case_bad("--measure channel-power,name=a/b", NULL,
                    "--measure: name: bad value 'a/b': expected 1 to 40 letters, digits, '-', '_' "
                    "and '.'");
}

/* ---- the file --------------------------------------------------------------------------- */

static void bad_file(const char *file, const char *error)
{
    config_case_bad("", file, error);
}

static void a_section_without_a_good_name_is_refused(void **state)
{
    (void)state;
    bad_file("[measure]\n", "@:1: unknown section [measure]: a measurement is [measure NAME]");
    bad_file("[Measure x]\n", "@:1: unknown section [Measure x]: a measurement is [measure NAME]");
    bad_file("[measure a b]\n", "@:1: 'a b' is no name of a measurement: expected 1 to 40 letters, "
                                "digits, '-', '_' and '.'");
    bad_file("[measure a]\n\n[measure a]\n", "@:3: [measure a] is already in line 1");
    bad_file("[measure a]\nname = b\n", "@:2: name: the name is in the title [measure a]");
    bad_file("[measure a]\ntype = x\ntype = y\n", "@:3: type: is already set in line 2");
}

static void checked(const char *file, const char *error)
{
    struct config_case k;
    struct reason why = {0};
    char want[sizeof why.sentence + sizeof k.file];
    config_case_good(&k, "", file);
    snprintf(want, sizeof want, "%s%s", k.file, error);
    assert_int_equal(measure_check_config(&k.config, &why), -EINVAL);
    assert_string_equal(why.sentence, want);
    config_case_finish(&k);
}

static void a_mistake_in_the_file_is_named_by_its_line(void **state)
{
    (void)state;
    checked("[measure a]\ntype = channel-power\n\nwidth = 25x\n",
            ":4: width: bad value '25x': expected a number from 0 to 10G");
    checked("[measure a]\ntype = obw\ncenter = 100M\n",
            ":3: center: has no effect without width: the whole span is measured");
    checked("[measure a]\ntype = channel-power\nwdth = 1\n",
            ":3: unknown key 'wdth' of channel-power: did you mean width?");
    char *types = list_types(), missing[512];
    snprintf(missing, sizeof missing, ":2: type: is missing: one of %s", types);
    checked("\n[measure a]\nwidth = 1\n", missing);
    free(types);
}

static void the_command_line_replaces_a_measurement_of_the_file(void **state)
{
    (void)state;
    struct config_case k;
    struct reason why = {0};
    config_case_good(&k,
                     "--measure channel-power,name=a,width=2k,detector=max "
                     "--measure channel-power --measure channel-power",
                     "[measure a]\ntype = channel-power\nwidth = 1k\n"
                     "[measure b]\ntype = channel-power\n");
    assert_int_equal(measure_check_config(&k.config, &why), 0);
    static const char *const names[] = {"b", "a", "channel-power", "channel-power-2"};
    assert_int_equal(k.config.measure_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(k.config.measures[i].name, names[i]);
    assert_string_equal(option_text_value(&k.config.measures[1], "width"), "2k");
    assert_int_equal(k.config.measure_detectors, 3);
    config_case_finish(&k);
    config_case_bad("--measure channel-power,name=a --measure channel-power,name=a", NULL,
                    "--measure: two measurements have the name a");
}

/* A float for each trace but clear/write; a double more for an average, a float more after math. */
static void the_memory_of_traces_is_added_up(void **state)
{
    (void)state;
    struct config_case k;
    struct reason why = {0};
    config_case_good(&k,
                     "--measure channel-power --measure obw,trace=average "
                     "--measure marker,math=minus,math-reference=a,detector=p90",
                     "");
    assert_int_equal(measure_check_config(&k.config, &why), 0);
    assert_int_equal(k.config.measure_bin_bytes, 0 + (4 + 8) + (0 + 4));
    assert_int_equal(k.config.measure_percentiles, 1);
    assert_int_equal(k.config.measure_detectors, 1);
    config_case_finish(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_may_not_name_a_file),
        cmocka_unit_test(options_of_the_type_and_of_every_type_are_set),
        cmocka_unit_test(a_percentile_is_a_detector),
        cmocka_unit_test(mean_and_clear_write_are_the_defaults),
        cmocka_unit_test(the_choices_of_trace_are_the_functions_of_traces),
        cmocka_unit_test(a_mistake_gets_one_line_that_names_it),
        cmocka_unit_test(an_unknown_type_gets_the_list_and_the_nearest),
        cmocka_unit_test(commas_without_a_key_belong_to_the_value),
        cmocka_unit_test(names_are_safe_in_paths_labels_and_sections),
        cmocka_unit_test(a_section_without_a_good_name_is_refused),
        cmocka_unit_test(a_mistake_in_the_file_is_named_by_its_line),
        cmocka_unit_test(the_command_line_replaces_a_measurement_of_the_file),
        cmocka_unit_test(the_memory_of_traces_is_added_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
