/*
 * si.h - numbers with SI suffixes: "433.92M", "2.4e6", "250k", "1G". Pure, any thread.
 */
#ifndef FFTD_DAEMON_BASE_SI_H
#define FFTD_DAEMON_BASE_SI_H

#include <stddef.h>

/* Suffixes k M G (and K; m is refused as ambiguous). NaN, infinity and trailing junk: -EINVAL. */
int si_parse(const char *text, double *out);
/* "433.92M", exact to the given significant digits, no trailing zeros; returns `into`. */
const char *si_format(double value, int digits, char *into, size_t size);

#endif
