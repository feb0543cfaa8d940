/* bainville_radix8.cl - radix 8, 8 passes for 2^24 points: variant A with seven exponentials and
 * products, B with one exponential and fourteen products. */
#undef RADIX
#define RADIX 8
PASS(radix8_a, TWIDDLE_EACH, BUTTERFLY)
PASS(radix8_b, TWIDDLE_BY_POWERS, BUTTERFLY)
