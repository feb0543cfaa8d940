/* main.c - fft-study: prints a document's tables next to results of this machine. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/command_line.h"
#include "studies/study.h"

enum { HELP_COLUMNS = 78, MAX_RADIX = 256 };

static bool parse_n(void *options, const char *value)
{
    struct study_options *o = options;
    return command_line_counts(value, 2, FFT_TRANSFORM_MAX_POINTS, &o->n);
}

static bool parse_radix(void *options, const char *value)
{
    struct study_options *o = options;
    return command_line_counts(value, 2, MAX_RADIX, &o->radix);
}

static const struct option_row rows[] = {
    {"table", 1, OPTION_TEXT, offsetof(struct study_options, table), NULL},
    {"n", 1, OPTION_PARSED, 0, parse_n},
    {"radix", 1, OPTION_PARSED, 0, parse_radix},
    {"once", 1, OPTION_TEXT, offsetof(struct study_options, once), NULL},
    {"quick", 1, OPTION_FLAG, offsetof(struct study_options, quick), NULL},
    {"json", 1, OPTION_FLAG, offsetof(struct study_options, json), NULL},
    {"engine", 1, OPTION_TEXT, offsetof(struct study_options, engine), NULL},
    {"isa", 1, OPTION_TEXT, offsetof(struct study_options, isa), NULL},
    {"options", 1, OPTION_TEXT, offsetof(struct study_options, engine_options), NULL},
    {"picture", 1, OPTION_TEXT, offsetof(struct study_options, picture), NULL},
};

/* The document's tables, without the first one, which is always printed. */
static void print_tables(const struct study_document *d)
{
    int column = 0;
    for (const struct study_table *t = d->tables + 1; t->name; t++) {
        if (column + (int)strlen(t->name) + 2 > HELP_COLUMNS) {
            printf("\n");
            column = 0;
        }
        column += printf("%s%s%s", column ? " " : "      ", t->name, t[1].name ? "," : "\n");
    }
}

static void print_help(void)
{
    puts(
        "fft-study DOCUMENT [options]: prints the document's tables next to results of this\n"
        "machine. Columns that begin with \"document\" hold its own figures.\n"
        "\n"
        "  --table NAMES   these tables alone, such as radix,model, after the machine's (all)\n"
        "  --n LIST        four-easy-ways: sizes, such as 8,4096,16M (each table's own)\n"
        "  --radix LIST    four-easy-ways: bases from 2 to 256; only tables that compare them\n"
        "  --once LIBRARY  four-easy-ways: no table, but one transform of --n points, checked; "
        "with\n"
        "                  radix (--radix, 2), engine, fftw-estimate, fftw-measure, kiss, nothing\n"
        "  --quick         small sizes and short runs, for tests: times are not reliable\n"
        "  --json          an array of rows\n"
        "  --engine NAME   auto, cpu, ...; mali and bainville: opencl:DEVICE (auto)\n"
        "  --isa NAME      instruction set of the cpu engine (the best)\n"
        "  --options TEXT  of the opencl engine\n"
        "  --picture FILE  gpu-fft: hello_fft_2d's picture as a portable grey map (PGM)\n"
        "\n"
        "documents and their tables:");
    for (const struct study_document *const *d = study_documents; *d; d++) {
        printf("  %s: %s\n", (*d)->name, (*d)->title);
        print_tables(*d);
    }
}

static int parse_document(struct study *s, int count, char **words)
{
    if (count < 1) {
        bench_error("name a document: four-easy-ways, gpu-fft, cuda-3d, mali or bainville");
        return -EINVAL;
    }
    s->document = study_find(words[0]);
    if (!s->document || count > 1) {
        bench_error("\"%s\" is not understood", s->document ? words[1] : words[0]);
        return -EINVAL;
    }
    if (s->options.table && !study_has_tables(s->document, s->options.table))
        return command_line_refuse("table", s->options.table);
    if (s->options.picture && (s->document != &study_gpu_fft || !study_wants(s, "picture"))) {
        bench_error("--picture: only the table picture of gpu-fft has one");
        return -EINVAL;
    }
    if (s->document->check)
        return s->document->check(s);
    const struct study_options *o = &s->options;
    const char *other = o->once ? "once" : o->n.count ? "n" : o->radix.count ? "radix" : NULL;
    if (other)
        bench_error("--%s is not an option of %s", other, s->document->name);
    return other ? -EINVAL : 0;
}

int main(int argc, char **argv)
{
    static const struct command_line line = {rows, sizeof rows / sizeof rows[0], 1, "fft-study"};
    struct study s = {.options = {.engine = "auto"}};
    int err = command_line_parse(&line, &s.options, 1, argc, argv);
    if (err == 0)
        err = parse_document(&s, argc - optind, argv + optind);
    if (err > 0)
        print_help();
    if (err != 0)
        return err > 0 ? EXIT_SUCCESS : 2;
    if (s.options.once)
        return s.document->once(&s);
    err = study_run(&s);
    study_close(&s);
    return err < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
