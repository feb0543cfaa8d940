/*
 * operations.h - a lower bound of the time that the arithmetic of an FFT takes on given units.
 *
 * Operations a point of a transform of n = 2^m points, without terms of the whole transform that
 * are below 8:
 *
 *     split radix    8/3 m - 16/9 additions and 4/3 m - 38/9 multiplications, 4 m - 6 in all
 *                    (P. Duhamel and H. Hollmann, "Split Radix FFT Algorithm", 1984). Of the four
 *                    multiplications by a root two fuse with its two additions
 *     fused          8/3 m - 16/9 multiply-adds: every multiplication is fused with an addition
 *                    (E. Linzer and E. Feig, "Modified FFTs for Fused Multiply-Add Architectures",
 *                    1993)
 *
 * Fused has fewer operations, but each needs a unit that multiplies. Where other units can only
 * add, as in AMD's processors since Zen, split radix is better for part of the work. The bound is
 * the best mixture of both.
 */
#ifndef FFTD_BENCH_OPERATIONS_H
#define FFTD_BENCH_OPERATIONS_H

/* A core's rates in operations a second; a multiply-add is one operation. */
struct units {
    double all;         /* half of them multiply-adds, the others additions */
    double multiplying; /* multiply-adds alone */
};

/* Seconds for each point of n; `extra`: operations more that multiply, for each point. */
double operations_seconds(const struct units *u, double n, double extra);

#endif
