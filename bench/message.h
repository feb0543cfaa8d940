/*
 * message.h - one-line messages of fft-bench and fft-study on standard error, each after the
 * program's name.
 */
#ifndef FFTD_BENCH_MESSAGE_H
#define FFTD_BENCH_MESSAGE_H

/* Prints "PROGRAM: text". */
__attribute__((format(printf, 1, 2))) void bench_error(const char *format, ...);

/* Prints "PROGRAM: what: why". Returns -EIO. */
int bench_fail(const char *what, const char *why);

#endif
