/*
 * twiddles.cl - what a pass multiplies its points with: TWIDDLE_ALL behind TWIDDLES_OF(k), k being the column.
 * NATIVE: by twiddles that are computed (native.cl). From the tables, where twiddle r of column k lies at
 * (r - 1) JOINED + k, otherwise: all of them, or with ROOTS 1 the first, whose powers the others are
 * (powers.cl).
 */
#if NATIVE
#define UNIT (0x80000000u / (RADIX * JOINED / 2))
#define TWIDDLES_OF(k) const uint phase = (k) * UNIT;
#define TWIDDLE(r) JOIN(NATIVE_ROOTS_, COLUMNS)(r * phase, r * UNIT)
#elif ROOTS == 1
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
