/* bainville_radix4.cl - radix 4, 12 passes for 2^24 points: variant A with three exponentials, B
 * the same on vectors of pairs of points, C with one exponential, squared, and five products. */
#undef RADIX
#define RADIX 4
PASS(radix4_a, TWIDDLE_EACH, BUTTERFLY)
PASS(radix4_b, TWIDDLE_EACH, BUTTERFLY_4_PAIRS)
PASS(radix4_c, TWIDDLE_BY_POWERS, BUTTERFLY)
