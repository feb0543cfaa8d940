/*
 * text.h - numbers and switches as text, and a growing buffer of it, for rows that wait until the
 * reader accepts them. One thread at a time.
 */
#ifndef FFTD_DAEMON_BASE_TEXT_H
#define FFTD_DAEMON_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A finite number as the shortest of 15, 16 or 17 digits that reads back as the same double: all
 * that fftd writes for programs. Returns `into`.
 */
enum { NUMBER_TEXT = 32 };
const char *number_text(double value, char into[NUMBER_TEXT]);

/* yes, true, on, 1, or no, false, off, 0. -EINVAL: it is none of these words, and *on stays. */
int flag_parse(const char *text, bool *on);

struct text {
    char *data;
    size_t length, capacity;
    bool failed; /* no memory: the text is incomplete */
};

void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* As one word of a POSIX shell: in single quotes where needed. */
void text_add_shell_word(struct text *t, const char *word);
void text_add_bytes(struct text *t, const char *bytes,
                    size_t count); /* count 0: bytes may be NULL */
/* As number_text writes it. */
void text_add_number(struct text *t, double value);
/*
 * An end of the span in a row of CSV, and ", ": whole hertz, as readers of rtl_power's files and of
 * hackrf_sweep's take it, or a fraction of the rate, of which the whole number would say nothing.
 */
void text_add_edge(struct text *t, double edge, bool is_fraction);
/* As "%.2f", but many times faster; |level_db| < 10^7. */
void text_add_level(struct text *t, double level_db);
void text_clear(struct text *t);  /* keeps the memory */
void text_finish(struct text *t); /* a zeroed text is fine */

#endif
