/*
 * log.h - one line a message on standard error, with journald's "<N>" priority where it listens.
 * Any thread.
 */
#ifndef FFTD_DAEMON_BASE_LOG_H
#define FFTD_DAEMON_BASE_LOG_H

void log_init(void); /* looks at JOURNAL_STREAM once */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
