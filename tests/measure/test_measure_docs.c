/*
 * test_measure_docs.c - docs/measurements.md has a section for each measurement, with its options.
 *
 *     test_measure_docs          compares
 *     test_measure_docs --print  prints the tables of options
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/text.h"
#include "tests/support/measure/measure_fixture.h"

static void add_row(struct text *t, const struct config_option *o)
{
    text_add(t, "| `%s` | %s | %s", o->key, *o->fallback ? o->fallback : "none", o->help);
    if (o->choices)
        text_add(t, ": %s", o->choices);
    text_add(t, " |\n");
}

/* "### snr\n\nAbout.\n\n| option | default | |\n..." */
static struct text section_of(const struct measure_ops *ops)
{
    struct text t = {0};
    text_add(&t, "\n### %s\n\n%s.\n\n| option | default | |\n|---|---|---|\n", ops->name,
             ops->about);
    for (size_t i = 0; i < ops->option_count; i++)
        add_row(&t, &ops->options[i]);
    text_add(&t, "\n");
    text_add_bytes(&t, "", 1);
    return t;
}

static char *read_page(void)
{
    FILE *file = fopen(FFTD_SOURCE_DIR "/docs/measurements.md", "rb");
    assert_non_null(file);
    char *page = calloc(1, 1 << 18);
    assert_non_null(page);
    const size_t length = fread(page, 1, (1 << 18) - 1, file);
    assert_true(length > 0 && length < (1 << 18) - 1);
    fclose(file);
    return page;
}

static void every_measurement_has_its_section_with_its_options(void **state)
{
    (void)state;
    char *page = read_page();
    for (size_t i = 0; i < measure_count; i++) {
        struct text section = section_of(measure_list[i]);
        if (!strstr(page, section.data))
            fail_msg("docs/measurements.md lacks:\n%s", section.data);
        text_finish(&section);
    }
    free(page);
}

static void every_section_is_of_a_measurement(void **state)
{
    (void)state;
    char *page = read_page();
    size_t sections = 0;
    for (char *at = strstr(page, "\n### "); at; at = strstr(at + 1, "\n### ")) {
        char name[64] = "";
        sscanf(at + 5, "%63[a-z-]", name);
        if (!measure_find(name))
            fail_msg("docs/measurements.md: there is no measurement %s", name);
        sections++;
    }
    assert_int_equal(sections, measure_count);
    free(page);
}

static void the_list_is_in_alphabetical_order(void **state)
{
    (void)state;
    for (size_t i = 1; i < measure_count; i++)
        assert_true(strcmp(measure_list[i - 1]->name, measure_list[i]->name) < 0);
}

static void every_option_belongs_to_its_measurement_and_has_a_valid_default(void **state)
{
    (void)state;
    for (size_t i = 0; i < measure_count; i++) {
        const struct measure_ops *ops = measure_list[i];
        void *memory = calloc(1, ops->state_bytes);
        assert_non_null(memory);
        for (size_t k = 0; k < ops->option_count; k++) {
            const struct config_option *o = &ops->options[k];
            assert_string_equal(o->section, ops->name);
            assert_true(o->offset + o->size <= ops->state_bytes);
            assert_int_equal(option_parse(o, o->fallback, memory), 0);
        }
        free(memory);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_measurement_has_its_section_with_its_options),
        cmocka_unit_test(every_section_is_of_a_measurement),
        cmocka_unit_test(the_list_is_in_alphabetical_order),
        cmocka_unit_test(every_option_belongs_to_its_measurement_and_has_a_valid_default),
    };
    if (argc < 2 || strcmp(argv[1], "--print") != 0)
        return cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < measure_count; i++) {
        struct text section = section_of(measure_list[i]);
        fputs(section.data, stdout);
        text_finish(&section);
    }
    return 0;
}
