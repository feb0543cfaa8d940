/*
 * places.cl - where point i of a row lies in local memory. Rows that work-items take across lie between each
 * other; of others one place of 16 stays free. Either way neighbours are in different banks.
 */
#undef PLACE
#undef PLACES
#define ROW_PLACES (LENGTH + LENGTH / 16)
#if ROWS_ACROSS
#define PLACE(i) ((i) * ROWS + local_row)
#define PLACES (ROWS * LENGTH)
#else
#define PLACE(i) (local_row * ROW_PLACES + (i) + (i) / 16)
#define PLACES (ROWS * ROW_PLACES)
#endif
