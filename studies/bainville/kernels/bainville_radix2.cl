/* bainville_radix2.cl - radix 2, 24 passes for 2^24 points: one sum and one difference. */
#undef RADIX
#define RADIX 2
PASS(radix2, TWIDDLE_EACH, BUTTERFLY)
