/*
 * detectors.cl - folds |X|^2 of each frame in registers. ALL_DETECTORS is 1 if more than the sum is
 * requested, POWERS if the powers of each frame are (for density). One that is not requested is
 * folded but not stored: its offset is ABSENT. Bins are centred: bin 0 of a DFT of POINTS is stored
 * at POINTS / 2.
 */
#define ITEMS (LENGTH / REGISTERS / COLUMNS) /* work-items of a pass over LENGTH points */

#define REAL JOIN(REAL_, COLUMNS)
#define REAL_1 float
#define REAL_2 float2
#define POWER(c) JOIN(POWER_, COLUMNS)(c)
#define POWER_1(c) FMA((c).x, (c).x, (c).y * (c).y)
#define POWER_2(c) FMA((c).even, (c).even, (c).odd * (c).odd)
#define POWER_ADDED(c, sum) JOIN(POWER_ADDED_, COLUMNS)(c, sum)
#define POWER_ADDED_1(c, sum) FMA((c).x, (c).x, FMA((c).y, (c).y, (sum)))
#define POWER_ADDED_2(c, sum) FMA((c).even, (c).even, FMA((c).odd, (c).odd, (sum)))

/*
 * The index of register q in a row of bins: output q mod RADIX of butterfly q / RADIX. A work-item
 * has one butterfly, or several whose columns are ITEMS apart. With LENGTH points of a longer
 * frame, every POINTS / LENGTH-th bin.
 */
#define BIN(q)                                                                                     \
    (((q) / RADIX * ITEMS + ((q) + RADIX / 2) % RADIX * (LENGTH / RADIX)) * BINS_APART)
#define BINS_APART (POINTS / LENGTH)
#define ROW(row, r) (row)[BIN(r) / COLUMNS]

#define SUM_BEGIN(r) REAL sum##r = (REAL)(0.0f);
#define SUM_FOLD(r) sum##r += ROW(row, r);
#define SUM_END(r) ROW(row, r) = sum##r;
#if ALL_DETECTORS
#define DETECTORS_BEGIN(r) SUM_BEGIN(r) REAL max##r = (REAL)(0.0f), min##r = (REAL)(INFINITY);
#define DETECTORS_ADD(r)                                                                           \
    const REAL power##r = POWER(c##r);                                                             \
    sum##r += power##r;                                                                            \
    max##r = fmax(max##r, power##r);                                                               \
    min##r = fmin(min##r, power##r);
#define MAX_FOLD(r) max##r = fmax(max##r, ROW(row, r));
#define MAX_END(r) ROW(row, r) = max##r;
#define MIN_FOLD(r) min##r = fmin(min##r, ROW(row, r));
#define MIN_END(r) ROW(row, r) = min##r;
#elif POWERS
#define DETECTORS_BEGIN SUM_BEGIN
#define DETECTORS_ADD(r)                                                                           \
    const REAL power##r = POWER(c##r);                                                             \
    sum##r += power##r;
#else
#define DETECTORS_BEGIN SUM_BEGIN
#define DETECTORS_ADD(r) sum##r = POWER_ADDED(c##r, sum##r);
#endif
#define POWER_STORE(r) ROW(row, r) = power##r;

/* Applies f to every output, if a row starts at `at` in `memory`. The work-item has column j of
 * it. */
#define WITH_ROW(memory, at, f)                                                                    \
    if ((at) != ABSENT) {                                                                          \
        __global REAL *const row = (memory) + ((at) + j) / COLUMNS;                                \
        EACH(f)                                                                                    \
    }
