/* bainville_radix32.cl - radix 32, for 2^24 points 4 passes and one of radix 16. The second kernel,
 * with a single exponential, is not in the document. */
#undef RADIX
#define RADIX 32
PASS(radix32, TWIDDLE_EACH, BUTTERFLY)
PASS(radix32_powers, TWIDDLE_BY_POWERS, BUTTERFLY)
