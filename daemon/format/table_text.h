/*
 * table_text.h - reads the text of a table line by line: comments, keys, words. Pure, any thread.
 *
 * # outside of double quotes starts a comment. A line is "key = value", where the key consists of
 * lower-case letters, or a row of words between blanks; a word with blanks is in double quotes.
 */
#ifndef FFTD_DAEMON_FORMAT_TABLE_TEXT_H
#define FFTD_DAEMON_FORMAT_TABLE_TEXT_H

#include <stddef.h>

struct reason;

enum { TABLE_LINE_BYTES = 256 };

struct table_text {
    const char *name;     /* of the table; begins every error */
    const char *at, *end; /* the text that is not read yet */
    struct reason *why;
    size_t line;                 /* read last, from 1 */
    char text[TABLE_LINE_BYTES]; /* that line, cut into words */
};

struct table_line {
    char *key;  /* NULL: a row */
    char *text; /* the value, "" if there is none; or the words */
};

struct table_text table_text_of(const char *name, const char *text, size_t size,
                                struct reason *why);
/* The next line that is not empty. 1, 0 after the last one, or -EINVAL: too long, or no text. */
int table_text_next(struct table_text *t, struct table_line *out);
/* The next word, cut out in place; *at moves on. NULL: none, or an open quote. */
char *table_text_word(char **at);
/* Moves to what follows the blanks. */
char *table_text_skip_blanks(char *at);
/* An array of rows that grows; the array is the caller's. */
struct table_buffer {
    void *array;  /* NULL at first */
    size_t rows;  /* that there is room for; 0 at first */
    size_t bytes; /* of a row */
    size_t most;  /* rows that there may be */
};
/* Makes room for one more row after `count`. 0; -EINVAL, -ENOMEM with a line in the error. */
int table_text_grow(struct table_text *t, struct table_buffer *buffer, size_t count);
/* Writes "NAME:3: ..." into the error, as one line. Returns -EINVAL. */
int table_text_fail(struct table_text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
