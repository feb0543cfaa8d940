/* bainville_radix16.cl - radix 16, 6 passes for 2^24 points: the document's kernel, and one with a
 * single exponential, which is not in the document. */
#undef RADIX
#define RADIX 16
PASS(radix16, TWIDDLE_EACH, BUTTERFLY)
PASS(radix16_powers, TWIDDLE_BY_POWERS, BUTTERFLY)
