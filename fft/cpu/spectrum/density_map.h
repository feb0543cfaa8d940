/*
 * density_map.h - a plan's density, prepared for counting.
 *
 * Level row of a power P: floor((top_db - 10 log10 P) / step_db) = floor(offset - slope * log2 P),
 * clamped to 0 .. levels - 1.
 */
#ifndef FFTD_FFT_CPU_SPECTRUM_DENSITY_MAP_H
#define FFTD_FFT_CPU_SPECTRUM_DENSITY_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "fft/fft.h"

struct density_map {
    uint32_t columns, levels;
    float offset, slope;
    uint32_t *first; /* [columns + 1]: the first bin of each column */
    /*
     * [columns]: the column of a frame's i-th level; NULL: i. With one bin a column the levels may
     * have any order, such as the slot order of a kernel.
     */
    uint32_t *column_of;
    size_t stride; /* from one frame's levels to the next's: not a power of two */
};

int cpu_density_map_init(struct density_map *map, const struct fft_density *density, uint32_t n);
void cpu_density_map_finish(struct density_map *map);

/*
 * Counts the hits of several frames, one column after the other. The counters do not fit into the
 * caches; in this order each is loaded once for all frames. levels: [frames][stride],
 * columns of them each; hits: [columns][levels].
 */
void cpu_density_map_count(const struct density_map *map, const uint16_t *levels, uint32_t frames,
                           uint32_t *hits);

#endif
