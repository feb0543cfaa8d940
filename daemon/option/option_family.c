/* option_family.c - finds and lists the options of a family. */
#include "daemon/option/option_family.h"

#include <string.h>

#include "daemon/base/text.h"
#include "daemon/base/wrap.h"

static const struct config_option *find(const struct config_option *options, size_t count,
                                        const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(options[i].key, key) == 0)
            return &options[i];
    return NULL;
}

const struct config_option *option_family_find(const struct option_family *f,
                                               const struct option_type *type, const char *key)
{
    const struct config_option *own = find(type->options, type->option_count, key);
    return own ? own : find(f->common, f->common_count, key);
}

const char *option_place(const struct config_option *o)
{
    if (o->kind != OPTION_STRING)
        return NULL;
    return strcmp(o->metavar, "FILE") == 0 ? "file" : strcmp(o->metavar, "URL") == 0 ? "URL" : NULL;
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

char *option_family_keys(const struct option_family *f, const struct option_type *type)
{
    struct text list = {0};
    for (size_t i = 0; i < type->option_count; i++)
        add_word(&list, type->options[i].key);
    for (size_t i = 0; i < f->common_count; i++)
        add_word(&list, f->common[i].key);
    return list_of(&list);
}

char *option_family_types(const struct option_family *f)
{
    struct text list = {0};
    for (size_t i = 0; i < f->type_count; i++)
        add_word(&list, f->type(i).name);
    return list_of(&list);
}

/* ---- lists for a terminal --------------------------------------------------------------- */

static void print_key(FILE *out, const struct config_option *o)
{
    static const char indent[] = "               ";
    char expected[256], text[512];
    option_expected(o, expected, sizeof expected);
    snprintf(text, sizeof text, "%s [%s]", o->help, o->fallback);
    fprintf(out, "  %-12s ", o->key);
    wrap_print(out, text, indent, sizeof indent - 1);
    fputs(indent, out);
    wrap_print(out, expected, indent, sizeof indent - 1);
}

static void print_keys(FILE *out, const struct config_option *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        print_key(out, &options[i]);
}

void option_family_print(const struct option_family *f, FILE *out)
{
    for (size_t i = 0; i < f->type_count; i++) {
        const struct option_type type = f->type(i);
        const int width = fprintf(out, "%s: ", type.name);
        wrap_print(out, type.about, "  ", width > 0 ? (size_t)width : 0);
        print_keys(out, type.options, type.option_count);
        fputc('\n', out);
    }
    fprintf(out, "Keys of every %s:\n", f->every);
    print_keys(out, f->common, f->common_count);
    fprintf(out, "  %-12s Name of the %s [its type]\n", "name", f->member);
}

/* ---- the manual ------------------------------------------------------------------------- */

/* Escapes the characters that scdoc interprets. */
static void print_scdoc(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\*_<>", *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void print_man_keys(FILE *out, const struct config_option *options, size_t count)
{
    char expected[256];
    for (size_t i = 0; i < count; i++) {
        const struct config_option *o = &options[i];
        fprintf(out, "*%s* = _", o->key);
        print_scdoc(out, o->metavar ? o->metavar : "yes|no");
        fputs("_\n\t", out);
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

void option_family_print_man(const struct option_family *f, FILE *out)
{
    fprintf(out, "## Every %s\n\n", f->every);
    print_man_keys(out, f->common, f->common_count);
    for (size_t i = 0; i < f->type_count; i++) {
        const struct option_type type = f->type(i);
        fprintf(out, "## type = %s\n\n", type.name);
        print_scdoc(out, type.about);
        fputs(".\n\n", out);
        print_man_keys(out, type.options, type.option_count);
    }
}
