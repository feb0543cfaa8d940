/*
 * log.h - writes messages to standard error, one line each. Any thread.
 *
 * Under systemd, a line starts with the "<N>" priority of sd-daemon(3), otherwise with "fftd: ".
 */
#ifndef FFTD_DAEMON_BASE_LOG_H
#define FFTD_DAEMON_BASE_LOG_H

void log_init(void); /* reads JOURNAL_STREAM, once */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
