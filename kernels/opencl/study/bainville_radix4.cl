/* bainville_radix4.cl - radix 4, 12 passes for 2^24 points: variant A with three exponentials, B the same
 * on vectors that hold pairs of points, C with one exponential, squared: five products. */
#undef RADIX
#define RADIX 4
PASS(radix4_a, TURN_EACH, BUTTERFLY)
PASS(radix4_b, TURN_EACH, BUTTERFLY_4_PAIRS)
PASS(radix4_c, TURN_BY_POWERS, BUTTERFLY)
