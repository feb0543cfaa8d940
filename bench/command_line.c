/* command_line.c - parses long options with getopt_long. */
#include "bench/command_line.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>

#include "bench/message.h"

int command_line_refuse(const char *option, const char *value)
{
    bench_error("--%s: \"%s\" is not understood", option, value);
    return -EINVAL;
}

uint32_t command_line_count(const char *text, const char **end)
{
    char *rest;
    if (*text < '0' || *text > '9')
        return 0;
    errno = 0;
    uint64_t value = strtoull(text, &rest, 10);
    if (errno || value > INT32_MAX)
        return 0;
    if (*rest == 'K' || *rest == 'M')
        value *= *rest++ == 'K' ? 1U << 10 : 1U << 20;
    *end = rest;
    return value <= INT32_MAX ? (uint32_t)value : 0;
}

bool command_line_counts(const char *text, uint32_t least, uint32_t most, struct counts *list)
{
    for (list->count = 0; list->count < COUNTS; text++) {
        const uint32_t value = command_line_count(text, &text);
        if (value < least || value > most)
            return false;
        list->at[list->count++] = value;
        if (*text != ',')
            return !*text;
    }
    return false;
}

static int apply(const struct command_line *c, const struct option_row *row, void *options,
                 const char *value)
{
    void *field = (char *)options + row->offset;
    if (!(row->verbs & c->verb)) {
        bench_error("--%s is not an option of %s", row->name, c->verb_name);
        return -EINVAL;
    }
    switch (row->kind) {
    case OPTION_TEXT:
        *(const char **)field = value;
        return 0;
    case OPTION_FLAG:
        *(bool *)field = true;
        return 0;
    default:
        return row->parse(options, value) ? 0 : command_line_refuse(row->name, value);
    }
}

int command_line_parse(const struct command_line *c, void *options, int first, int argc,
                       char **argv)
{
    struct option table[COMMAND_LINE_ROWS + 2] = {{0}};
    const int help = (int)c->count;
    int index = 0, which, err = 0;

    assert(c->count <= COMMAND_LINE_ROWS);
    for (uint32_t i = 0; i < c->count; i++)
        table[i] = (struct option){c->rows[i].name, c->rows[i].kind != OPTION_FLAG, NULL, 0};
    table[help] = (struct option){"help", 0, NULL, 0};
    optind = first;
    while (err == 0 && (which = getopt_long(argc, argv, "", table, &index)) != -1) {
        if (which == 0 && index == help)
            return 1;
        err = which == 0 ? apply(c, &c->rows[index], options, optarg) : -EINVAL;
    }
    return err;
}
