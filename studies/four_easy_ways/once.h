/*
 * once.h - the document's unit of measurement: a program that makes one transform and ends, "which
 * includes the creation of the FFTW plan". fft-study is that program with --once.
 */
#ifndef FFTD_STUDIES_FOUR_EASY_WAYS_ONCE_H
#define FFTD_STUDIES_FOUR_EASY_WAYS_ONCE_H

#include "studies/study.h"

/* Exit statuses of the program. FAILED: no memory, or no such library; one line says which. */
enum { ONCE_DONE = 0, ONCE_FAILED = 1, ONCE_WRONG = 3 };

/* Fills --n points with noise, transforms them with the library of --once, and checks the result.
 * Returns the exit status. */
int study_once(struct study *s);

/* -EINVAL, reported: no such library, or not one --n and at most one --radix. */
int study_check_once(const struct study_options *o);

/*
 * Runs fft-study --once in a process, with at most `data_bytes` of memory (0: no limit). Returns
 * its exit status, ONCE_FAILED also for one that was killed; -errno. seconds: from its start to its
 * end.
 */
int once_run(const struct study *s, const char *library, uint32_t n, size_t data_bytes,
             double *seconds);

#endif
