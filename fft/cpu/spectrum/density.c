/* density.c - one frame's level in every column; compiled once for each instruction set. */
#include <string.h>

#include "fft/cpu/spectrum/density_map.h"
#include "fft/cpu/spectrum/kernel.h"
#include "fft/cpu/vec.h"

void CPU_SYMBOL(density)(const struct density_map *map, const float *powers, int32_t *peaks,
                         uint16_t *levels);

/*
 * The peak of each column, as the bits of a float. Powers are never negative, so the order of the
 * bits is theirs. The compiler vectorises a maximum of integers, which has no NaN.
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

/* The peaks of LANES columns of `width` bins, a constant, in pairs, then pairs of pairs. */
INLINE vf peaks_of(size_t width, const float *bins)
{
    vf x[16];
    UNROLL
    for (size_t i = 0; i < width; i++)
        x[i] = ((const raw_floats *)bins)[i];
    UNROLL
    for (size_t left = width / 2; left > 0; left /= 2) {
        UNROLL
        for (size_t i = 0; i < left; i++) {
            const vf evens = EVENS(x[2 * i], x[2 * i + 1]), odds = ODDS(x[2 * i], x[2 * i + 1]);
            x[i] = VEC_MAX(evens, odds);
        }
    }
    return x[0];
}

INLINE bool find_equal_peaks(size_t width, const struct density_map *map, const float *bins,
                             int32_t *peaks)
{
    for (size_t c = 0; c < map->columns; c += LANES)
        *(raw_floats *)(peaks + c) = peaks_of(width, bins + c * width);
    return true;
}

/* For columns of 2, 4, 8 or 16 bins each, in whole vectors. false: they are not. */
static bool find_peaks_at_once(const struct density_map *map, const float *bins, int32_t *peaks)
{
    const uint32_t n = map->first[map->columns], width = n / map->columns;
    if (n % map->columns != 0 || map->columns % LANES != 0)
        return false;
    switch (width) {
    case 2:
        return find_equal_peaks(2, map, bins, peaks);
    case 4:
        return find_equal_peaks(4, map, bins, peaks);
    case 8:
        return find_equal_peaks(8, map, bins, peaks);
    case 16:
        return find_equal_peaks(16, map, bins, peaks);
    default:
        return false;
    }
}

/*
 * log2 of the float with these bits, to 7e-7: its exponent, with the mantissa in [sqrt(1/2),
 * sqrt(2)), and the polynomial through log2(1 + t) / t at Chebyshev's points. It needs no division,
 * which would double the time.
 */
static inline float log2_of_bits(int32_t bits)
{
    const int32_t sqrt_half = 0x3f3504f3, exponent = (bits - sqrt_half) >> 23;
    const int32_t mantissa_bits = (int32_t)((uint32_t)bits - ((uint32_t)exponent << 23));
    float m;
    memcpy(&m, &mantissa_bits, sizeof m);
    const float t = m - 1.0F;
    float p = 0.168186591F;
    p = p * t - 0.267963871F;
    p = p * t + 0.296119557F;
    p = p * t - 0.359524455F;
    p = p * t + 0.480613125F;
    p = p * t - 0.721360179F;
    p = p * t + 1.44269652F;
    return (float)exponent + p * t;
}

typedef int32_t bits_of_float __attribute__((may_alias));

static void to_levels(const struct density_map *map, const bits_of_float *restrict peaks,
                      uint16_t *restrict levels)
{
    const float offset = map->offset, slope = map->slope, last = (float)(map->levels - 1);
    for (uint32_t c = 0; c < map->columns; c++) {
        float row = offset - slope * log2_of_bits(peaks[c]);
        row = row < last ? row : last;
        levels[c] = (uint16_t)(int32_t)(row > 0 ? row : 0);
    }
}

void CPU_SYMBOL(density)(const struct density_map *map, const float *powers, int32_t *peaks,
                         uint16_t *levels)
{
    if (map->columns == map->first[map->columns]) { /* one bin a column */
        to_levels(map, (const bits_of_float *)powers, levels);
        return;
    }
    if (!find_peaks_at_once(map, powers, peaks))
        find_peaks(map, powers, peaks);
    to_levels(map, peaks, levels);
}
