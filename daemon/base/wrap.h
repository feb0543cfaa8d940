/* wrap.h - prints text for people in lines of at most WRAP_COLUMNS. Any thread. */
#ifndef FFTD_DAEMON_BASE_WRAP_H
#define FFTD_DAEMON_BASE_WRAP_H

#include <stddef.h>
#include <stdio.h>

enum { WRAP_COLUMNS = 78 };

/*
 * Prints words and a newline. The first line continues at `column`; the others start with `indent`.
 * A word that is longer than a line stays whole.
 */
void wrap_print(FILE *out, const char *text, const char *indent, size_t column);

#endif
