/*
 * operations.h - how long the arithmetic of an FFT takes at least, on given units.
 *
 * Per point of a transform of n = 2^m points (the terms of a whole transform, below 8, are left
 * out):
 *
 *     split radix    8/3 m - 16/9 additions and 4/3 m - 38/9 multiplications (P. Duhamel and H.
 *                    Hollmann, "Split Radix FFT Algorithm", 1984): 4 m - 6 in all. Of the four
 *                    multiplications by a root two go with its two additions as multiply-adds
 *     fused          8/3 m - 16/9 multiply-adds: every multiplication goes with an addition (E.
 * Linzer and E. Feig, "Modified FFTs for Fused Multiply-Add Architectures", 1993)
 *
 * Fused has fewer, but each of them needs a unit that multiplies; where others that only add stand
 * beside those, as in AMD's processors since Zen, part of the work is better left to split radix.
 * The bound is the best mixture of both.
 */
#ifndef FFTD_BENCH_OPERATIONS_H
#define FFTD_BENCH_OPERATIONS_H

/* A core's rates, operations a second; a multiply-add is one. */
struct units {
    double all;         /* half of them multiply-adds, the others additions */
    double multiplying; /* multiply-adds alone */
};

/* Seconds for each point of n; `extra`: operations more that multiply, for each point. */
double operations_seconds(const struct units *u, double n, double extra);

#endif
