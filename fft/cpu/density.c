/* density.c - one frame's level in every column; compiled once for each instruction set. */
#include <string.h>

#include "fft/cpu/density_map.h"
#include "fft/cpu/kernel.h"

void CPU_SYMBOL(density)(const struct density_map *map, const float *bins, int32_t *levels);

/*
 * The peak of each column, as the bits of a float: powers are never negative, so their order is the
 * order of the bits, and a maximum of integers needs no care for NaN to become vector code.
 */
static void find_peaks(const struct density_map *map, const float *bins, int32_t *peaks)
{
    for (uint32_t c = 0; c < map->columns; c++) {
        int32_t peak = 0;
        for (uint32_t k = map->first[c]; k < map->first[c + 1]; k++) {
            int32_t bits;
            memcpy(&bits, &bins[k], sizeof bits);
            peak = bits > peak ? bits : peak;
        }
        peaks[c] = peak;
    }
}

/* log2 of the float with these bits, to 1e-7: the exponent, and atanh's series for the mantissa. */
static inline float log2_of_bits(int32_t bits)
{
    const int32_t mantissa_bits = (bits & 0x007fffff) | 0x3f800000;
    float m;
    memcpy(&m, &mantissa_bits, sizeof m);
    const float t = (m - 1.41421356F) / (m + 1.41421356F), t2 = t * t;
    const float series =
        2.88539008F + t2 * (0.961796694F + t2 * (0.577078016F + t2 * 0.412198583F));
    return (float)(bits >> 23) - 126.5F + t * series;
}

/* In place: peaks become level rows. */
static void to_levels(const struct density_map *map, int32_t *restrict values)
{
    const float offset = map->offset, slope = map->slope, last = (float)(map->levels - 1);
    for (uint32_t c = 0; c < map->columns; c++) {
        float row = offset - slope * log2_of_bits(values[c]);
        row = row < last ? row : last;
        values[c] = (int32_t)(row > 0 ? row : 0);
    }
}

void CPU_SYMBOL(density)(const struct density_map *map, const float *bins, int32_t *levels)
{
    if (map->columns == map->first[map->columns])
        memcpy(levels, bins, map->columns * sizeof *levels); /* one bin a column */
    else
        find_peaks(map, bins, levels);
    to_levels(map, levels);
}
