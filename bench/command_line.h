/*
 * command_line.h - long options from a table, for fft-bench and fft-study.
 *
 * An option has a kind: a text or a flag is stored in a field of the program's options, any other
 * value goes to a function of the program.
 */
#ifndef FFTD_BENCH_COMMAND_LINE_H
#define FFTD_BENCH_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind { OPTION_TEXT, OPTION_FLAG, OPTION_PARSED };

struct option_row {
    const char *name;
    unsigned verbs; /* bits: the verbs that have this option */
    enum option_kind kind;
    size_t offset;                                   /* text: const char *; flag: bool */
    bool (*parse)(void *options, const char *value); /* parsed; false: the value is invalid */
};

struct command_line {
    const struct option_row *rows;
    uint32_t count;        /* at most COMMAND_LINE_ROWS */
    unsigned verb;         /* one bit */
    const char *verb_name; /* for the message about an option of another verb */
};

enum { COMMAND_LINE_ROWS = 32 };

/*
 * Parses the options in argv[first] and after; afterwards `optind` is the index of the first word
 * that is no option. 0; 1: --help was given; -EINVAL, with one line on standard error.
 */
int command_line_parse(const struct command_line *c, void *options, int first, int argc,
                       char **argv);

/* Parses "4096", "4K" or "1M"; *end: the text after it. 0: not a number from 1 to 2^31 - 1. */
uint32_t command_line_count(const char *text, const char **end);

enum { COUNTS = 32 };

struct counts {
    uint32_t count, at[COUNTS];
};

/* Parses "8,4K,1M"; false: not a list of at most COUNTS numbers from least (>= 1) to most. */
bool command_line_counts(const char *text, uint32_t least, uint32_t most, struct counts *list);

/* Reports an invalid value of an option. Returns -EINVAL. */
int command_line_refuse(const char *option, const char *value);

#endif
