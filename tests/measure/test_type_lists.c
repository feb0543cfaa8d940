/* test_type_lists.c - the lists of measurements and triggers for people: complete, and not too
 * wide.
 */
#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/measure/measure_setup.h"
#include "daemon/trigger/trigger_setup.h"

static const struct listed {
    struct option_family (*family)(void);
    void (*print)(FILE *out);
} lists[] = {{measure_family, measure_print_types}, {trigger_family, trigger_print_types}};
enum { LISTS = sizeof lists / sizeof lists[0] };

/* *text is the caller's to free. */
static void print_list(const struct listed *l, char **text)
{
    size_t size = 0;
    FILE *out = open_memstream(text, &size);
    l->print(out);
    fclose(out);
}

static void a_list_fits_into_80_columns(void **state)
{
    (void)state;
    for (size_t i = 0; i < LISTS; i++) {
        char *text = NULL;
        print_list(&lists[i], &text);
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
            if (strcspn(line, "\n") >= 80)
                fail_msg("%.*s", (int)strcspn(line, "\n"), line);
        free(text);
    }
}

/* Lines are broken between words. */
static void join_lines(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++) {
        const bool blank = *at == ' ' || *at == '\n';
        if (!blank)
            *to++ = *at;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    }
    *to = '\0';
}

static void assert_listed(const char *text, const struct config_option *options, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_non_null(strstr(text, options[i].key));
        assert_non_null(strstr(text, options[i].help));
    }
}

static void a_list_has_every_type_and_key(void **state)
{
    (void)state;
    for (size_t i = 0; i < LISTS; i++) {
        const struct option_family family = lists[i].family();
        char *text = NULL;
        print_list(&lists[i], &text);
        join_lines(text);
        assert_listed(text, family.common, family.common_count);
        for (size_t t = 0; t < family.type_count; t++) {
            const struct option_type type = family.type(t);
            assert_non_null(strstr(text, type.name));
            assert_listed(text, type.options, type.option_count);
        }
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_fits_into_80_columns),
        cmocka_unit_test(a_list_has_every_type_and_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
