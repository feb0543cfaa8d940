/*
 * twiddles.cl - what a pass multiplies its points with: TURN_ALL behind TWIDDLES_OF(k), k being the column.
 * NATIVE: by twiddles that are computed (native.cl). From the tables, where twiddle r of column k lies at
 * (r - 1) JOINED + k, otherwise: all of them, or with ROOTS 1 the first, whose powers the others are
 * (powers.cl).
 */
#if NATIVE
#define UNIT (0x80000000u / (RADIX * JOINED / 2))
#define TWIDDLES_OF(k) const uint turn = (k) * UNIT;
#define TWIDDLE(r) JOIN(NATIVE_ROOTS_, COLUMNS)(r * turn, r * UNIT)
#elif ROOTS == 1
#define TWIDDLES_OF(k) const VEC w1 = tables[(TWIDDLES + (k)) / COLUMNS];
#define TURN_ALL TURN_BY_POWERS
#else
#define TWIDDLES_OF(k) __global const VEC *const w = tables + (TWIDDLES + (k)) / COLUMNS;
#define TWIDDLE(r) w[(r - 1) * (JOINED / COLUMNS)]
#endif
#ifndef TURN_ALL
#define TURN_BY(r) { const VEC w_ = TWIDDLE(r); c##r = TIMES(c##r, w_); }
#define TURN_ALL BUT_FIRST(TURN_BY)
#endif
