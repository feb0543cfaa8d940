/*
 * reason.h - why something failed: a code, one line for people, and the value that is wrong.
 *
 * A function that can fail takes `struct reason *why` last. It returns 0 or -errno, and on failure
 * writes the reason; on success it leaves it alone. Callers test with `err < 0`. A reason begins
 * zeroed; NULL where nobody reads it. Any thread.
 */
#ifndef FFTD_DAEMON_BASE_REASON_H
#define FFTD_DAEMON_BASE_REASON_H

#include <stdarg.h>

struct reason {
    int code;           /* -errno, or 0: nothing has failed */
    char sentence[512]; /* one line, without a final full stop */
    char key[48];       /* of the one value that is wrong, or "" */
};

/* Writes code and sentence, printf-style, and returns err. reason_key also writes the key. */
int reason_set(struct reason *why, int err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Names the value that is wrong. A name with control characters is not kept. */
void reason_name(struct reason *why, const char *key);
/* Writes more behind the sentence. */
void reason_add(struct reason *why, const char *format, ...) __attribute__((format(printf, 2, 3)));
int reason_set_args(struct reason *why, int err, const char *format, va_list args);
int reason_key(struct reason *why, int err, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
