/*
 * twiddles.cl - multiplies the points of a pass by their twiddles: TWIDDLE_ALL after
 * TWIDDLES_OF(k), for column k. Twiddle r of column k is at (r - 1) JOINED + k in the tables. ROOTS 1:
 * only the first one is loaded, and the others are its powers (powers.cl).
 */
#if ROOTS == 1
#define TWIDDLES_OF(k) const VEC w1 = tables[(TWIDDLES + (k)) / COLUMNS];
#define TWIDDLE_ALL TWIDDLE_BY_POWERS
#else
#define TWIDDLES_OF(k) __global const VEC *const w = tables + (TWIDDLES + (k)) / COLUMNS;
#define TWIDDLE(r) w[(r - 1) * (JOINED / COLUMNS)]
#endif
#ifndef TWIDDLE_ALL
#define TWIDDLE_BY(r) { const VEC w_ = TWIDDLE(r); c##r = TIMES(c##r, w_); }
#define TWIDDLE_ALL BUT_FIRST(TWIDDLE_BY)
#endif
