/*
 * cpu_density_map.h - a plan's density, prepared for counting.
 *
 * Level row of a power P: the number of thresholds after the first that P does not exceed, where
 * threshold r is top_db - r * step_db. That is floor(x), x = (top_db - 10 log10 P) / step_db,
 * clamped to 0 .. levels - 1, without a rounding error.
 *
 * A frame's rows are computed in fixed point, with ROW_BITS bits after the point. With P's bits as
 * an integer, log2 P = y + c(m): y, the distance to the bits of 1, and the mantissa m in [1, 2). A
 * polynomial approximates c; `near` is a bound of its and all other errors. Where x is that near an
 * integer, the threshold decides. So the rows of given powers are the same with every instruction
 * set.
 */
#ifndef FFTD_FFT_CPU_SPECTRUM_CPU_DENSITY_MAP_H
#define FFTD_FFT_CPU_SPECTRUM_CPU_DENSITY_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/cpu/spectrum/cpu_kernel.h"
#include "fft/fft.h"

enum {
    DENSITY_CURVE = 6,
    ROW_BITS = 16,
    DENSITY_BLOCK = 64,  /* columns */
    DENSITY_FRAMES = 240 /* whose levels are counted together, at most: a byte counts them */
};
/* Columns are picked 32 at once: parts of neighbours, whose bins are in a few groups of 16. */
enum { PICK_PARTS = 4, PICK_COLUMNS = 8, PICK_BINS = 16, PICK_GROUPS = 8 };

/*
 * Which windows of 32 columns are in one group of each part. Part 1 has columns 16 to 23, part 2
 * has columns 8 to 15.
 */
struct density_pick {
    uint32_t from[PICK_PARTS];
    uint8_t at[PICK_PARTS][PICK_BINS]; /* first windows, then last ones, less `from`; or 128 */
};

struct density_map {
    uint32_t n, columns, levels;
    uint32_t frames;           /* whose levels are counted together */
    bool wide;                 /* rows are uint16_t, not uint8_t */
    struct kernel_order order; /* of the powers */

    float curve[DENSITY_CURVE]; /* x + near = sum of curve[i] * m^i + line * y, */
    float line;                 /* both times 2^ROW_BITS */
    float least, most;          /* of it: half a row inside the end rows */
    int32_t far_bits;           /* those bits after the point are 0 where x is near an integer */
    float *thresholds;          /* [levels]: the largest power of row r or a later one */

    uint32_t *first;            /* [columns + 1]: the first bin of each column */
    uint32_t window;            /* bins, a power of two; each column is two windows */
    struct density_pick *picks; /* [columns / 32, rounded up][groups]; NULL: too many groups */
    uint32_t groups;
    /*
     * [columns]: the column of a frame's i-th level; NULL: i. With one bin a column the levels may
     * have any order, such as the kernel order of a kernel.
     */
    uint32_t *column_of;
};

int cpu_density_map_init(struct density_map *map, const struct fft_density *density, uint32_t n);
void cpu_density_map_finish(struct density_map *map);

static inline size_t cpu_density_row_bytes(const struct density_map *map)
{
    return map->wide ? sizeof(uint16_t) : sizeof(uint8_t);
}

/* Of what a frame's levels are computed in; 0: nothing. */
size_t cpu_density_scratch_bytes(const struct density_map *map);

/*
 * The levels of map->frames frames are in blocks of columns: [blocks][frames][DENSITY_BLOCK]
 * rows. So a block, which is counted as a whole, is consecutive.
 */
size_t cpu_density_levels_bytes(const struct density_map *map);
static inline size_t cpu_density_level_at(const struct density_map *map, uint32_t column,
                                          uint32_t frame)
{
    return ((size_t)column / DENSITY_BLOCK * map->frames + frame) * DENSITY_BLOCK +
           column % DENSITY_BLOCK;
}

static inline uint32_t *cpu_density_counters(const struct density_map *map, size_t i,
                                             uint32_t *hits)
{
    return hits + (map->column_of ? map->column_of[i] : i) * map->levels;
}

enum { CPU_DENSITY_SPARE = 16 }; /* counters after the last one, to which vectors add 0 */

/*
 * Counts the hits of several frames, one column after the other. The counters do not fit into the
 * caches; in this order each is loaded once for all frames. hits: [columns][levels].
 */
void cpu_density_map_count(const struct density_map *map, const void *levels, uint32_t frames,
                           uint32_t *hits);

#endif
