/* types.c - the types of measurements and their keys, as lists for people. */
#include <stdlib.h>
#include <string.h>

#include "daemon/base/text.h"
#include "daemon/line/trace.h"
#include "daemon/measure/setup.h"

#define FIELD(member)                                                                              \
    .offset = offsetof(struct measure_setup, member),                                              \
    .size = sizeof(((struct measure_setup *)0)->member)

const struct config_option measure_common[] = {
    {"measure", "detector", .kind = OPTION_INDEX, FIELD(detector), .fallback = "mean",
     .metavar = "NAME", .choices = "mean, max, min, sample",
     .help = "How frames become the lines that are measured"},
    {"measure", "trace", .kind = OPTION_INDEX, FIELD(trace), .fallback = "clear-write",
     .metavar = "NAME", .choices = TRACE_FUNCTION_NAMES,
     .help = "How lines become the trace that is measured"},
    {"measure", "count", .kind = OPTION_COUNT, FIELD(count), .fallback = "0", .metavar = "LINES",
     .min = 0, .max = 1e9, .help = "Lines that the averages combine; 0 combines all"},
};
const size_t measure_common_count = sizeof measure_common / sizeof measure_common[0];

const struct config_option *measure_option(const struct measure_ops *ops, const char *key)
{
    for (size_t i = 0; i < ops->option_count; i++)
        if (strcmp(ops->options[i].key, key) == 0)
            return &ops->options[i];
    for (size_t i = 0; i < measure_common_count; i++)
        if (strcmp(measure_common[i].key, key) == 0)
            return &measure_common[i];
    return NULL;
}

static void add_word(struct text *list, const char *word)
{
    text_add(list, "%s%s", list->length ? ", " : "", word);
}

static char *list_of(struct text *list)
{
    text_add_bytes(list, "", 1);
    if (!list->failed)
        return list->data;
    text_finish(list);
    return NULL;
}

char *measure_keys(const struct measure_ops *ops)
{
    struct text list = {0};
    for (size_t i = 0; i < ops->option_count; i++)
        add_word(&list, ops->options[i].key);
    for (size_t i = 0; i < measure_common_count; i++)
        add_word(&list, measure_common[i].key);
    return list_of(&list);
}

char *measure_types(void)
{
    struct text list = {0};
    for (size_t i = 0; i < measure_count; i++)
        add_word(&list, measure_list[i]->name);
    return list_of(&list);
}

/* ---- --list-measurements ---------------------------------------------------------------- */

static void print_key(FILE *out, const struct config_option *o)
{
    char expected[256];
    option_expected(o, expected, sizeof expected);
    fprintf(out, "  %-12s %s [%s]\n  %-12s %s\n", o->key, o->help, o->fallback, "", expected);
}

static void print_keys(FILE *out, const struct config_option *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        print_key(out, &options[i]);
}

void measure_print_types(FILE *out)
{
    for (size_t i = 0; i < measure_count; i++) {
        fprintf(out, "%s: %s\n", measure_list[i]->name, measure_list[i]->about);
        print_keys(out, measure_list[i]->options, measure_list[i]->option_count);
        fputc('\n', out);
    }
    fputs("Keys of every type:\n", out);
    print_keys(out, measure_common, measure_common_count);
    fprintf(out, "  %-12s %s\n", "name", "Name of the measurement [its type]");
}

/* ---- the manual ------------------------------------------------------------------------- */

/* Escapes the characters that scdoc interprets. */
static void print_scdoc(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\*_", *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void print_man_keys(FILE *out, const struct config_option *options, size_t count)
{
    char expected[256];
    for (size_t i = 0; i < count; i++) {
        const struct config_option *o = &options[i];
        fprintf(out, "*%s* = _%s_\n\t", o->key, o->metavar ? o->metavar : "yes|no");
        print_scdoc(out, o->help);
        fputs(". Value: ", out);
        print_scdoc(out, option_expected(o, expected, sizeof expected));
        if (*o->fallback) {
            fputs(". Default: ", out);
            print_scdoc(out, o->fallback);
        }
        fputs(".\n\n", out);
    }
}

void measure_print_man(FILE *out)
{
    fputs("## Every type\n\n", out);
    print_man_keys(out, measure_common, measure_common_count);
    for (size_t i = 0; i < measure_count; i++) {
        fprintf(out, "## type = %s\n\n", measure_list[i]->name);
        print_scdoc(out, measure_list[i]->about);
        fputs(".\n\n", out);
        print_man_keys(out, measure_list[i]->options, measure_list[i]->option_count);
    }
}
