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
#define REVERSED(q) (REVERSED_5((q) % RADIX) * RADIX / 32)
#define REVERSED_5(q)                                                                              \
    (((q) & 1) << 4 | ((q) & 2) << 2 | ((q) & 4) | ((q) & 8) >> 2 | ((q) & 16) >> 4)

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

/* Roots 2 p and 2 p + 1 of butterfly i, a pair of the table [RADIX / 4][JOINED] of the pass. */
#define ROOTS(p, i) tables[TWIDDLES / 2 + (p) * JOINED + REMAINDER(i)]

#define REGISTER(q) POINT c##q;
#define EACH_QUARTER(f) PICK(EACH_, QUARTER)(f) /* QUARTER: of REGISTERS */
