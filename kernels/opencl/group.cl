/*
 * group.cl - LENGTH points in the registers of one row of work-items, exchanged through local
 * memory between passes. A kernel is composed of parts: one that begins it, the butterflies of each
 * pass (butterflies.cl) with group_stage.cl before each pass but the first, and one that ends it.
 * group_begin.cl, group_frame.cl and group_end.cl make whole frames. columns_begin.cl and
 * columns_end.cl, and rows_begin.cl, rows_frame.cl and group_end.cl, make the two kernels of four
 * steps.
 *
 * Parameters: REGISTERS, points of a work-item and the radix of the first pass; ITEMS = LENGTH /
 * REGISTERS, work-items of a row; ROWS, rows of a work-group. In a pass of RADIX a work-item has
 * REGISTERS / RADIX butterflies. Register q belongs to butterfly q / RADIX, which is column t + q /
 * RADIX * ITEMS.
 *
 * All sizes are powers of two and t < ITEMS. So an index is the sum of a part that depends on t,
 * computed once, and a constant. The divisions below are written accordingly.
 */
#define FAR (JOINED > ITEMS)
#define REMAINDER(i) (FAR ? t + (i) * ITEMS % JOINED : t % JOINED)

/* The lowest bits of q, as many as RADIX has, in reversed order. */
#define REVERSED(q) (REVERSED_6((q) % RADIX) * RADIX / 64)
#define REVERSED_6(q)                                                                              \
    (((q) & 1) << 5 | ((q) & 2) << 3 | ((q) & 4) << 1 | ((q) & 8) >> 1 | ((q) & 16) >> 3 |         \
     ((q) & 32) >> 5)

/* The index of register q's point on load, less t: samples, or points of a row in order. */
#define POINT_OF(q) ((q) / RADIX * ITEMS + REVERSED(q) * (LENGTH / RADIX))
/* The index of register q after the last pass, less t. */
#define OUTPUT_OF(q) ((q) / RADIX * ITEMS + (q) % RADIX * (LENGTH / RADIX))

/* `at`: row_points + PADDED of the part that depends on t. */
#define LOAD_LOCAL(q) c##q = at[PADDED(POINT_OF(q))];
#define STORE_BASE (FAR ? t : t / JOINED * (JOINED * RADIX) + t % JOINED)
#define STORE_STEP(i)                                                                              \
    (FAR ? (i) * ITEMS / JOINED * (JOINED * RADIX) + (i) * ITEMS % JOINED : (i) * ITEMS * RADIX)
#define STORE_LOCAL(q) at[PADDED(STORE_STEP((q) / RADIX) + (q) % RADIX * JOINED)] = c##q;
#define STORE_LOCAL_PAIR(i, a, b) ((__local float4 *)at)[(i) / 2] = (float4)(a, b);

/* Roots 2 p and 2 p + 1 of butterfly i, a pair of the table [RADIX / 4][JOINED] of the pass. */
#define ROOTS(p, i) tables[TWIDDLES / 2 + (p) * JOINED + REMAINDER(i)]

#define REGISTER(q) POINT c##q;
#define EACH_QUARTER(f) PICK(EACH_, QUARTER)(f) /* QUARTER: of REGISTERS */

/* For pairs of registers. */
#define EACH_PAIR(f) PICK(EACH_PAIR_, REGISTERS)(f)
#define EACH_PAIR_4(f) f(0, c0, c1) f(2, c2, c3)
#define EACH_PAIR_8(f) EACH_PAIR_4(f) f(4, c4, c5) f(6, c6, c7)
#define EACH_PAIR_16(f)                                                                            \
    EACH_PAIR_8(f) f(8, c8, c9) f(10, c10, c11) f(12, c12, c13) f(14, c14, c15)
#define EACH_PAIR_32(f)                                                                            \
    EACH_PAIR_16(f) f(16, c16, c17) f(18, c18, c19) f(20, c20, c21) f(22, c22, c23)                \
    f(24, c24, c25) f(26, c26, c27) f(28, c28, c29) f(30, c30, c31)
#define EACH_PAIR_64(f)                                                                            \
    EACH_PAIR_32(f) f(32, c32, c33) f(34, c34, c35) f(36, c36, c37) f(38, c38, c39)                \
    f(40, c40, c41) f(42, c42, c43) f(44, c44, c45) f(46, c46, c47) f(48, c48, c49)                \
    f(50, c50, c51) f(52, c52, c53) f(54, c54, c55) f(56, c56, c57) f(58, c58, c59)                \
    f(60, c60, c61) f(62, c62, c63)
