/* bainville_radix2.cl - radix 2: a sum, and a difference. 24 passes for 2^24 points. */
#undef RADIX
#define RADIX 2
PASS(radix2, TWIDDLE_EACH, BUTTERFLY)
