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

/*
 * What a call of the API was refused for: the sentence, and the key of the value that is wrong.
 * Zeroed: nothing yet.
 */
struct reason {
    char sentence[512]; /* one line, without a final full stop */
    char key[48];       /* "": not one value */
};

/* Writes the sentence, and returns err. reason_key also writes the key. */
int reason_say(struct reason *why, int err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int reason_key(struct reason *why, int err, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Writes the line, printf-style, cut to error_size, and returns err. error may be NULL. */
int reason_set(char *error, size_t error_size, int err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int reason_set_args(char *error, size_t error_size, int err, const char *format, va_list args);

#endif
