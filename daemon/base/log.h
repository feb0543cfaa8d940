/*
 * log.h - writes messages to standard error, one line each. Any thread.
 *
 * On a terminal, a line of progress may stand below the messages (log_progress).
 *
 * Under systemd, a line starts with the "<N>" priority of sd-daemon(3), otherwise with "fftd: ".
 */
#ifndef FFTD_DAEMON_BASE_LOG_H
#define FFTD_DAEMON_BASE_LOG_H

#include <stdbool.h>

void log_init(void); /* reads JOURNAL_STREAM, once */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Standard error is a terminal that this process may write progress to now. */
bool log_is_on_terminal(void);
/* Rewrites the line of progress, cut to the terminal's width. "": removes it, as messages do. */
void log_progress(const char *text);

#endif
