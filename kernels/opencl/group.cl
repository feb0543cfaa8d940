/*
 * group.cl - LENGTH points in the registers of one row of work-items, exchanged through local memory
 * between passes. Kernels are put together of parts: one that begins, a group_stage.cl for each pass but
 * the first, and one that ends. group_begin.cl and group_end.cl are whole frames, columns_begin.cl and
 * columns_end.cl, rows_begin.cl and group_end.cl the two kernels of four steps.
 *
 * Parameters: REGISTERS points a work-item, ITEMS = LENGTH / REGISTERS work-items a row, ROWS rows side by
 * side in a work-group. In a pass of RADIX a work-item has REGISTERS / RADIX butterflies: register q is
 * point q mod RADIX of butterfly q / RADIX, which is column t + q / RADIX * ITEMS.
 */
#define COLUMN(q) (t + (q) / RADIX * ITEMS)

#define POINT_OF(q) (COLUMN(q) + (q) % RADIX * (LENGTH / RADIX))

#define BUTTERFLIES PICK(PICK(BUTTERFLIES_, REGISTERS), PICK(_, RADIX))
#define BUTTERFLIES_2_2 DFT_2(c0, c1)
#define BUTTERFLIES_4_2 BUTTERFLIES_2_2 DFT_2(c2, c3)
#define BUTTERFLIES_8_2 BUTTERFLIES_4_2 DFT_2(c4, c5) DFT_2(c6, c7)
#define BUTTERFLIES_16_2                                                                           \
    BUTTERFLIES_8_2 DFT_2(c8, c9) DFT_2(c10, c11) DFT_2(c12, c13) DFT_2(c14, c15)
#define BUTTERFLIES_4_4 DFT_4(c0, c1, c2, c3)
#define BUTTERFLIES_8_4 BUTTERFLIES_4_4 DFT_4(c4, c5, c6, c7)
#define BUTTERFLIES_16_4 BUTTERFLIES_8_4 DFT_4(c8, c9, c10, c11) DFT_4(c12, c13, c14, c15)
#define BUTTERFLIES_8_8 DFT_8(c0, c1, c2, c3, c4, c5, c6, c7)
#define BUTTERFLIES_16_8 BUTTERFLIES_8_8 DFT_8(c8, c9, c10, c11, c12, c13, c14, c15)
#define BUTTERFLIES_16_16                                                                          \
    DFT_16(c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15)

#define TAKE(q) c##q = points[PLACE(POINT_OF(q))];
#define TURN_BY(q)                                                                                 \
    if ((q) % RADIX != 0)                                                                          \
        c##q = TIMES(c##q, tables[TWIDDLES + ((q) % RADIX - 1) * JOINED + COLUMN(q) % JOINED]);
#define PUT(q)                                                                                     \
    points[PLACE((COLUMN(q) - COLUMN(q) % JOINED) * RADIX + COLUMN(q) % JOINED +                   \
                 (q) % RADIX * JOINED)] = c##q;
#define REGISTER(q) POINT c##q;
