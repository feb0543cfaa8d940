/*
 * message.h - one-line messages of fft-bench and fft-study on standard error, each after the
 * program's name.
 */
#ifndef FFTD_BENCH_MESSAGE_H
#define FFTD_BENCH_MESSAGE_H

#include <errno.h>

/* Prints "PROGRAM: text". */
__attribute__((format(printf, 1, 2))) void bench_error(const char *format, ...);

/* An error that has been printed: nothing else is printed about it. */
enum { BENCH_REPORTED = -ECANCELED };

/* Prints "PROGRAM: what: why". Returns BENCH_REPORTED. */
int bench_fail(const char *what, const char *why);
/* At the end of a program's work: prints err unless it is BENCH_REPORTED. Returns 0 or
 * BENCH_REPORTED. */
int bench_report(const char *what, int err);

#endif
