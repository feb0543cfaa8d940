/*
 * twiddles.cl - what a pass multiplies its points with: TWIDDLE(r), r >= 1, behind TWIDDLES_OF(k), k being
 * the column. NATIVE: computed (native.cl); else from the tables, where twiddle r of column k lies at
 * (r - 1) JOINED + k.
 */
#if NATIVE
#define UNIT (0x80000000u / (RADIX * JOINED / 2))
#define TWIDDLES_OF(k) const uint turn = (k) * UNIT;
#define TWIDDLE(r) JOIN(NATIVE_ROOTS_, COLUMNS)(r * turn, r * UNIT)
#else
#define TWIDDLES_OF(k) __global const VEC *const w = tables + (TWIDDLES + (k)) / COLUMNS;
#define TWIDDLE(r) w[(r - 1) * (JOINED / COLUMNS)]
#endif
#define TURN_BY(r) { const VEC w_ = TWIDDLE(r); c##r = TIMES(c##r, w_); }
