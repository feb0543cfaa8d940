/* bainville_radix32.cl - radix 32: 4 passes for 2^24 points and one of radix 16. The second kernel is not in
 * the document, as with radix 16. */
#undef RADIX
#define RADIX 32
PASS(radix32, TWIDDLE_EACH, BUTTERFLY)
PASS(radix32_powers, TWIDDLE_BY_POWERS, BUTTERFLY)
