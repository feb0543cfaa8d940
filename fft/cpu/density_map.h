/*
 * density_map.h - a plan's density, prepared for counting.
 *
 * Level row of a power P: floor((top_db - 10 log10 P) / step_db) = floor(offset - slope * log2 P),
 * clamped to 0 .. levels - 1.
 */
#ifndef FFTD_FFT_CPU_DENSITY_MAP_H
#define FFTD_FFT_CPU_DENSITY_MAP_H

#include <stdint.h>

#include "fft/fft.h"

struct density_map {
    uint32_t columns, levels;
    float offset, slope;
    uint32_t *first; /* [columns + 1]: the first bin of each column */
};

int density_map_init(struct density_map *map, const struct density *density, uint32_t n);
void density_map_finish(struct density_map *map);

/*
 * Counts the hits of several frames at once: a column's rows stay in L1 meanwhile.
 * levels: [frames][columns]; hits: [columns][levels].
 */
void density_map_count(const struct density_map *map, const int32_t *levels, uint32_t frames,
                       uint32_t *hits);

#endif
