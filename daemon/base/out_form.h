/*
 * out_form.h - how the rows of an output begin, and whether a file has such rows. Any thread.
 *
 * A row is a line of text. A pattern describes its beginning:
 *
 *     %1 .. %9   as many digits
 *     %i         a whole number: digits after an optional minus
 *     %g         a number as printf's %.12g writes it: no zero ends its decimals
 *     %c, %m     a number with exactly two (six) decimals
 *     others     themselves
 */
#ifndef FFTD_DAEMON_BASE_OUT_FORM_H
#define FFTD_DAEMON_BASE_OUT_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OUT_FORM_PATTERNS = 2, OUT_FORM_WINDOW = 16384 /* bytes of a row that are examined */ };

struct out_form {
    const char *what;                       /* "CSV in the form rtl_power" */
    const char *head;                       /* (optional) the first line of a file, without \n */
    const char *pattern[OUT_FORM_PATTERNS]; /* alternatives; the second is optional */
    const char *member;                     /* (optional) a text that each row has */
    bool whole_steps; /* the third to fifth columns are a low, a high, and whole steps between */
};

enum out_match {
    OUT_OTHER,
    OUT_BEGINS, /* the line is too short to tell */
    OUT_FITS,
};

/* A line, or its first OUT_FORM_WINDOW bytes, without \n. Pure. */
enum out_match out_form_match(const struct out_form *form, const char *line, size_t length);

/*
 * Examines a file for reading: its first lines and its last one. 0: it is empty, or it has rows of
 * this form; *whole: the bytes of its whole rows, behind which the beginning of one may follow, as
 * after a kill. -EEXIST: it is something else. Otherwise -errno. Reads some blocks at the start,
 * and at the end as many as the last row has, of at most 64 MiB.
 */
int out_form_examine(const struct out_form *form, int fd, uint64_t *whole);

#endif
