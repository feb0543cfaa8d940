/*
 * group.cl - a whole frame in the registers of one work-group, exchanged through local memory between
 * passes. What follows is one kernel in three parts: group_begin.cl, a group_stage.cl for each pass, and
 * group_end.cl.
 *
 * Parameters: POINTS of a frame; REGISTERS points a work-item, ITEMS = POINTS / REGISTERS work-items a
 * row, ROWS rows side by side in a work-group, each with frames of its own. In a pass of RADIX a
 * work-item has REGISTERS / RADIX butterflies: register q is point q mod RADIX of butterfly q / RADIX,
 * which is column t + q / RADIX * ITEMS.
 */
#define COLUMN(q) (t + (q) / RADIX * ITEMS)

/* One place of 16 stays free, so that neighbours write to different banks. */
#define PADDED(i) ((i) + (i) / 16)
#define ROW_PLACES (POINTS + POINTS / 16)

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

#define LOAD_SAMPLE(q)                                                                             \
    c##q = SAMPLES(from + 2 * (COLUMN(q) + (q) % RADIX * (POINTS / RADIX))) *                      \
           WINDOW(window + COLUMN(q) + (q) % RADIX * (POINTS / RADIX));
#define TAKE(q) c##q = row_points[PADDED(COLUMN(q) + (q) % RADIX * (POINTS / RADIX))];
#define TURN_BY(q)                                                                                 \
    if ((q) % RADIX != 0)                                                                          \
        c##q = TIMES(c##q, tables[TWIDDLES + ((q) % RADIX - 1) * JOINED + COLUMN(q) % JOINED]);
#define PUT(q)                                                                                     \
    row_points[PADDED((COLUMN(q) - COLUMN(q) % JOINED) * RADIX + COLUMN(q) % JOINED +              \
                      (q) % RADIX * JOINED)] = c##q;
#define REGISTER(q) POINT c##q;
