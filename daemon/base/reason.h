/*
 * reason.h - why something failed, as one line for people.
 *
 * A function that can fail takes `char *error, size_t error_size` last. It returns 0 or -errno, and
 * on failure writes the line. Callers test with `err < 0`. Any thread.
 */
#ifndef FFTD_DAEMON_BASE_REASON_H
#define FFTD_DAEMON_BASE_REASON_H

#include <stdarg.h>
#include <stddef.h>

/* Writes the line, printf-style, cut to error_size, and returns err. error may be NULL. */
int reason_set(char *error, size_t error_size, int err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int reason_set_args(char *error, size_t error_size, int err, const char *format, va_list args);

#endif
