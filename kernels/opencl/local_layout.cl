/*
 * local_layout.cl - where the points of a row lie in local memory, [LOCAL_POINTS] points of all rows. Rows that work-items
 * take across lie between each other; of others GAP points stay free behind every REGISTERS. Either way
 * neighbours are in different banks. Two free points keep pairs aligned, which the first pass puts as one.
 */
#undef PADDED
#undef ROW_STRIDE
#undef ROW_OFFSET
#if ROWS_INTERLEAVED
#define PADDED(i) ((i) * ROWS)
#define ROW_STRIDE LENGTH
#define ROW_OFFSET local_row
#else
#define PADDED(i) ((i) + (i) / REGISTERS * GAP)
#define ROW_STRIDE (LENGTH + LENGTH / REGISTERS * GAP)
#define ROW_OFFSET (local_row * ROW_STRIDE)
#endif
#undef LOCAL_POINTS
#define LOCAL_POINTS (ROWS * ROW_STRIDE + 1) / 2 * 2
