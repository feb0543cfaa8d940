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

/* Of sd-daemon(3). */
enum log_priority { LOG_PRIORITY_ERROR = 3, LOG_PRIORITY_WARN = 4, LOG_PRIORITY_INFO = 6 };

void log_init(void); /* reads JOURNAL_STREAM, once */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * For lines of drivers and other lines that may repeat: an equal line is written at most once in
 * ten minutes. The next one, or log_finish at the end of the program, says how often it came.
 */
void log_limited(enum log_priority priority, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void log_finish(void);
/*
 * "about: text", of a library or of what a client has set: at most 10 a minute of all such lines,
 * because requests must not fill the journal.
 */
void log_capped(const char *about, const char *text);

/* Standard error is a terminal that this process may write progress to now. */
bool log_is_on_terminal(void);
/* Rewrites the line of progress, cut to the terminal's width. "": removes it, as messages do. */
void log_progress(const char *text);

#endif
