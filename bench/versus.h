/* versus.h - the libraries that --vs names, and what can be compared with them. */
#ifndef FFTD_BENCH_VERSUS_H
#define FFTD_BENCH_VERSUS_H

#include <stdbool.h>

struct options;

enum versus { VERSUS_NONE, VERSUS_FFTW, VERSUS_CUFFT, VERSUS_CLFFT, VERSUS_VKFFT };

bool versus_parse(enum versus *out, const char *name); /* false: no such library */
/* 0, or -EINVAL with one line on standard error. */
int versus_check(const struct options *o);

#endif
