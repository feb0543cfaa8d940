/* cpu_density_map.c - the bins of every column, the thresholds of the levels, and their curve. */
#include "fft/cpu/spectrum/cpu_density_map.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum {
    TAIL = PICK_GROUPS * PICK_BINS, /* bytes that a pick may read after the rows */
    NARROW = 256, /* levels, and rows that a conversion may give: more would overflow */
    MOST_ROWS = 1 << 14
};

/* log2 m - (m - 1) for m in [1, 2): the polynomial with the least error, fit_error. */
static const double curve[DENSITY_CURVE] = {-1.800364035405783,  4.091710813501949,
                                            -3.5507929282948276, 1.6311487659414756,
                                            -0.4165636872961195, 0.04487361029787079};
static const double fit_error = 1.255e-5, rounding = 0x1p-24, bias = 127;

/* ---- levels ----------------------------------------------------------------------------- */

/* The largest float that is not above 10^(level_db / 10). */
static float threshold(double level_db)
{
    const double exact = pow(10, level_db / 10);
    const float nearest = (float)exact;
    return (double)nearest > exact ? nextafterf(nearest, 0) : nearest;
}

/*
 * The bits of a power are a float of 24 bits, too: an error of at most 64. That of `line` is
 * multiplied by them. curve[0] corrects it for the power in the middle of the levels, which is
 * `octaves` from the first and last one.
 */
static double line_error(const struct density_map *map, double line, double octaves)
{
    return 64 * fabs(line) + fabs((double)map->line - line) * octaves * 0x1p23;
}

/* Of curve(m), m up to 2: of each coefficient, and of each sum on the way to the value. */
static double curve_error(const double *exact)
{
    double error = 0, largest = 0;
    for (size_t i = DENSITY_CURVE; i-- > 0;) {
        error += ldexp(2 * rounding * (fabs(exact[i]) + largest), (int)i);
        largest = 2 * largest + fabs(exact[i]);
    }
    return error;
}

/* The coefficients for `slope` rows an octave and the first row at `offset` rows; returns `near`.
 */
static double init_curve(struct density_map *map, double slope, double offset)
{
    const double one = 1 << ROW_BITS, line = -slope * one * 0x1p-23;
    const double octaves = map->levels / slope / 2;
    const double middle = bias + offset / slope - octaves; /* y there */
    double exact[DENSITY_CURVE], near = 1;

    map->line = (float)line;
    for (size_t i = 0; i < DENSITY_CURVE; i++)
        exact[i] = -slope * one * curve[i];
    exact[0] += one * (offset + slope * bias) - ((double)map->line - line) * middle * 0x1p23;
    const double error = slope * one * fit_error + line_error(map, line, octaves) +
                         curve_error(exact) + rounding * one * (map->levels + 1);
    while (near < one / 2 && near < error)
        near *= 2;
    exact[0] += near;
    for (size_t i = 0; i < DENSITY_CURVE; i++)
        map->curve[i] = (float)exact[i];
    return near;
}

static int init_levels(struct density_map *map, const struct fft_density *density)
{
    const double one = 1 << ROW_BITS, step = (double)density->step_db;
    const double slope = 10 * log10(2.0) / step, offset = (double)density->top_db / step;

    map->thresholds = calloc(map->levels, sizeof *map->thresholds);
    if (!map->thresholds)
        return -ENOMEM;
    for (uint32_t r = 0; r < map->levels; r++)
        map->thresholds[r] = threshold((double)density->top_db - r * step);
    map->wide = map->levels > NARROW || 256 * slope + fabs(offset) > MOST_ROWS;
    map->far_bits = ((1 << ROW_BITS) - 1) & ~((int32_t)(2 * init_curve(map, slope, offset)) - 1);
    map->least = (float)(0.5 * one);
    map->most = (float)((map->levels - 0.5) * one);
    return 0;
}

/* ---- columns ---------------------------------------------------------------------------- */

/* Column of bin k is floor(k * columns / n): column c starts at k = ceil(c * n / columns). */
static int init_columns(struct density_map *map)
{
    const uint64_t n = map->n, columns = map->columns;

    map->first = calloc((size_t)columns + 1, sizeof *map->first);
    if (!map->first)
        return -ENOMEM;
    for (uint64_t c = 0; c <= columns; c++)
        map->first[c] = (uint32_t)((c * n + columns - 1) / columns);
    map->window = 1;
    while (map->window <= n / columns / 2)
        map->window *= 2;
    return 0;
}

/* The first column of a part; parts after the last column repeat it. */
static uint32_t column_of_part(const struct density_map *map, uint32_t part)
{
    static const uint32_t order[PICK_PARTS] = {0, 16, 8, 24};
    const uint32_t c = part / PICK_PARTS * (PICK_PARTS * PICK_COLUMNS) + order[part % PICK_PARTS];
    return c < map->columns ? c : map->columns - 1;
}

/* Window `i` of a part, as a distance from its first bin. */
static uint32_t window_of_part(const struct density_map *map, uint32_t part, uint32_t i)
{
    const uint32_t first = column_of_part(map, part), c = first + i % PICK_COLUMNS;
    const uint32_t column = c < map->columns ? c : map->columns - 1;
    const uint32_t bin =
        i < PICK_COLUMNS ? map->first[column] : map->first[column + 1] - map->window;
    return bin - map->first[first];
}

static void fill_part(struct density_map *map, uint32_t part)
{
    struct density_pick *pick = map->picks + (size_t)part / PICK_PARTS * map->groups;
    for (uint32_t group = 0; group < map->groups; group++, pick++) {
        pick->from[part % PICK_PARTS] = map->first[column_of_part(map, part)] + group * PICK_BINS;
        for (uint32_t i = 0; i < 2 * PICK_COLUMNS; i++) {
            const uint32_t at = window_of_part(map, part, i);
            pick->at[part % PICK_PARTS][i] =
                (uint8_t)(at / PICK_BINS == group ? at % PICK_BINS : 128);
        }
    }
}

static int init_picks(struct density_map *map)
{
    const uint32_t all = PICK_PARTS * PICK_COLUMNS, count = (map->columns + all - 1) / all;

    map->groups = 1;
    for (uint32_t part = 0; part < PICK_PARTS * count; part++) {
        const uint32_t groups = window_of_part(map, part, 2 * PICK_COLUMNS - 1) / PICK_BINS + 1;
        map->groups = groups > map->groups ? groups : map->groups;
    }
    if (map->groups > PICK_GROUPS)
        return 0;
    map->picks = calloc((size_t)count * map->groups, sizeof *map->picks);
    if (!map->picks)
        return -ENOMEM;
    for (uint32_t part = 0; part < PICK_PARTS * count; part++)
        fill_part(map, part);
    return 0;
}

/* As many as make counting cheap, or as are likely to stay in a cache of 1 MiB. */
static uint32_t count_frames(uint32_t columns)
{
    enum { CACHE = 1 << 20, FEW = 64 };
    const uint32_t frames = CACHE / columns;
    return frames > DENSITY_FRAMES ? DENSITY_FRAMES : frames > FEW ? frames : FEW;
}

int cpu_density_map_init(struct density_map *map, const struct fft_density *density, uint32_t n)
{
    *map = (struct density_map){
        .n = n, .columns = density->columns, .levels = density->levels, .order = {1, 1}};
    map->frames = count_frames(density->columns);
    int err = init_levels(map, density);
    if (err == 0)
        err = init_columns(map);
    return err == 0 ? init_picks(map) : err;
}

void cpu_density_map_finish(struct density_map *map)
{
    free(map->thresholds);
    free(map->first);
    free(map->picks);
    free(map->column_of);
    *map = (struct density_map){0};
}

size_t cpu_density_scratch_bytes(const struct density_map *map)
{
    return map->column_of ? 0 : 2 * (map->n * cpu_density_row_bytes(map) + TAIL);
}

size_t cpu_density_levels_bytes(const struct density_map *map)
{
    const size_t blocks = ((size_t)map->columns + DENSITY_BLOCK - 1) / DENSITY_BLOCK;
    return blocks * map->frames * DENSITY_BLOCK * cpu_density_row_bytes(map);
}
