/*
 * one_line.h - texts that stay one line, whatever a file or a client has put into them: errors,
 * names, keys. Any thread.
 */
#ifndef FFTD_DAEMON_BASE_ONE_LINE_H
#define FFTD_DAEMON_BASE_ONE_LINE_H

#include <stdbool.h>

/* True if there is no control character of ASCII. "" is one line. */
bool is_one_line(const char *text);
/* Puts '?' in place of each. */
void make_one_line(char *text);

#endif
