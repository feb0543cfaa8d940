/*
 * mixed.h - the cost of a mixed-radix transform by its factors, and the order of its points.
 *
 * After G. M. Iodice, "Speeding-up Fast Fourier Transform Mixed-Radix on Mobile ARM Mali GPU by
 * means of OpenCL", parts 1 and 2. n is a product of radices r_1 ... r_m, each 2 to 8 or odd. Stage
 * s joins transforms of span_s = r_1 ... r_(s-1) points; each of its n / r_s butterflies is
 * preceded by products with twiddle factors. Double precision, forward sign.
 */
#ifndef FFTD_STUDIES_MALI_MIXED_H
#define FFTD_STUDIES_MALI_MIXED_H

#include "reference/reference.h"

enum { MIXED_STAGES = 24 };

struct mixed {
    uint32_t count, radix[MIXED_STAGES]; /* the first stage's first */
};

uint32_t mixed_length(const struct mixed *m);

/* Real operations. */
struct mixed_cost {
    double multiplications, additions;
    uint32_t passes; /* over all points in memory, that of the digit reversal included */
};

/*
 * The direct sum: n^2 complex products of 4 multiplications and 2 additions each, and n (n - 1)
 * complex sums.
 */
struct mixed_cost mixed_direct(uint32_t n);

/*
 * Butterflies and twiddle factors. Of the n twiddle factors of a stage, those of the first
 * transform and of the first point of each transform are 1, which leaves n (1 - 1/span) (1 -
 * 1/radix).
 *
 *     radix       multiplications  additions
 *     2           0                4
 *     4           0                16
 *     8           4                52
 *     2 h + 1     4 h^2            4 h^2 + 8 h
 */
struct mixed_cost mixed_cost(const struct mixed *m);

/* Transforms x[n] in place, and counts the operations that it does: what mixed_cost computes. */
struct mixed_cost mixed_fft(const struct mixed *m, struct complex64 *x);

/* ---- digit reversal ---------------------------------------------------------------------- */

/*
 * Index i has the digits d_s, i = sum over s of d_s span_s. The stages read point
 *
 *     order(i) = sum over s of d_s r_(s+1) ... r_m
 *
 * of the input there: the digits in reverse, each with its own radix. The order for the reversed
 * list of radices is the inverse permutation. So it is its own inverse, and can be applied by
 * swaps, if and only if the list reads the same in both directions.
 */
uint32_t mixed_reverse(const struct mixed *m, uint32_t i);

/* The same as part 2 computes it: the map from n to k of each stage, one after the other. */
uint32_t mixed_reverse_by_stages(const struct mixed *m, uint32_t i);

bool mixed_is_palindrome(const struct mixed *m);

/* Points that stay where they are, of a palindrome: those whose digits are one. The others are
 * exchanged in pairs. */
uint32_t mixed_fixed_points(const struct mixed *m);

#endif
