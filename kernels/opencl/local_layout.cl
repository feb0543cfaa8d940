/*
 * local_layout.cl - where the points of a row lie in local memory, [PLACES] points of all rows. Rows that work-items
 * take across lie between each other; of others GAP points stay free behind every REGISTERS. Either way
 * neighbours are in different banks. Two free points keep pairs aligned, which the first pass puts as one.
 */
#undef SPACED
#undef ROW_PLACES
#undef ROW_AT
#if ROWS_ACROSS
#define SPACED(i) ((i) * ROWS)
#define ROW_PLACES LENGTH
#define ROW_AT local_row
#else
#define SPACED(i) ((i) + (i) / REGISTERS * GAP)
#define ROW_PLACES (LENGTH + LENGTH / REGISTERS * GAP)
#define ROW_AT (local_row * ROW_PLACES)
#endif
#undef PLACES
#define PLACES (ROWS * ROW_PLACES + 1) / 2 * 2
