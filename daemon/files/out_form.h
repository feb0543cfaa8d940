/*
 * out_form.h - how the rows of an output begin, and whether a file has such rows. Any thread.
 *
 * A row is a line of text. A pattern describes its beginning:
 *
 *     %1 .. %9   as many digits
 *     %i         a whole number: digits after an optional minus
 *     %g         a number as number_text writes it: no zero ends its decimals
 *     %c, %m     a number with exactly two (six) decimals
 *     others     themselves
 */
#ifndef FFTD_DAEMON_FILES_OUT_FORM_H
#define FFTD_DAEMON_FILES_OUT_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OUT_FORM_PATTERNS = 2, OUT_FORM_WINDOW = 16384 /* bytes of a row that are examined */ };

/* What the third to fifth columns, a low, a high and a step, say of the levels after the sixth. */
enum out_levels {
    OUT_LEVELS_UNKNOWN,
    OUT_LEVELS_EXACT,   /* whole steps, and as many levels; rtl_power itself has one level more */
    OUT_LEVELS_ROUNDED, /* 5 MHz at most, or one level, in columns that are rounded */
};

struct out_form {
    const char *what;                       /* "CSV in the form rtl_power" */
    const char *head;                       /* (optional) the first line of a file, without \n */
    const char *pattern[OUT_FORM_PATTERNS]; /* alternatives; the second is optional */
    const char *member;                     /* (optional) a text that each row has */
    enum out_levels levels;
};

enum out_match {
    OUT_OTHER,
    OUT_BEGINS, /* the line is too short to decide */
    OUT_FITS,
};

/* A line, or its first OUT_FORM_WINDOW bytes, without \n. Pure. */
enum out_match out_form_match(const struct out_form *form, const char *line, size_t length);

/*
 * Examines a file for reading: its first lines and its last ones. 0: it is empty, or it begins with
 * a whole row (or head) of this form; *whole: the bytes of its whole rows, which the beginning of
 * one, or zeros, may follow, as after a kill or a loss of power. -EEXIST: it is something else, or
 * has no whole row. Otherwise -errno. Reads the first and the last row, of at most 64 MiB each,
 * and what follows the last one, at most as much.
 */
int out_form_examine(const struct out_form *form, int fd, uint64_t *whole);
/*
 * True: the file has a part of the first row (or head) of this form and no whole line, as after a
 * kill or a loss of power within the first write. A short text of somebody else may look the same.
 * Reads at most 64 MiB.
 */
bool out_form_is_first_part(const struct out_form *form, int fd);

#endif
