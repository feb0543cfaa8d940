/*
 * complain.h - one line on standard error for a mistake in the input.
 */
#ifndef FFTD_EXAMPLES_COMPLAIN_H
#define FFTD_EXAMPLES_COMPLAIN_H

/* Prints "fft-image: text". Returns err. */
__attribute__((format(printf, 2, 3))) int complain(int err, const char *format, ...);

#endif
