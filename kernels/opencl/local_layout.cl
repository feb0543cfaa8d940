/*
 * local_layout.cl - the layout of rows in local memory, [LOCAL_POINTS] points of all rows. The
 * points of interleaved rows alternate. Other rows are contiguous, with a free point after every
 * REGISTERS. Either layout puts neighbours into different banks.
 */
#undef PADDED
#undef ROW_STRIDE
#undef ROW_OFFSET
#if ROWS_INTERLEAVED
#define PADDED(i) ((i) * ROWS)
#define ROW_STRIDE LENGTH
#define ROW_OFFSET local_row
#else
#define PADDED(i) ((i) + (i) / REGISTERS)
#define ROW_STRIDE (LENGTH + LENGTH / REGISTERS)
#define ROW_OFFSET (local_row * ROW_STRIDE)
#endif
#undef LOCAL_POINTS
#define LOCAL_POINTS (ROWS * ROW_STRIDE)
