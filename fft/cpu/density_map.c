/* density_map.c - the bins of every column, and the levels as a line over log2 of the power. */
#include "fft/cpu/density_map.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int density_map_init(struct density_map *map, const struct density *density, uint32_t n)
{
    const uint64_t columns = density->columns;

    *map = (struct density_map){
        .columns = density->columns,
        .levels = density->levels,
        .offset = density->top_db / density->step_db,
        .slope = (float)(10 * log10(2.0) / (double)density->step_db),
    };
    map->first = calloc(columns + 1, sizeof *map->first);
    if (!map->first)
        return -ENOMEM;
    /* Column of bin k is floor(k * columns / n): column c starts at k = ceil(c * n / columns). */
    for (uint64_t c = 0; c <= columns; c++)
        map->first[c] = (uint32_t)((c * n + columns - 1) / columns);
    return 0;
}

void density_map_finish(struct density_map *map)
{
    free(map->first);
    map->first = NULL;
}

enum { AHEAD = 8 }; /* columns: their counters may be in L3 */

void density_map_count(const struct density_map *map, const int32_t *levels, uint32_t frames,
                       uint32_t *hits)
{
    const size_t columns = map->columns, rows = map->levels;
    for (size_t c = 0; c < columns; c++, hits += rows)
        for (size_t frame = 0; frame < frames; frame++) {
            const int32_t *level = levels + frame * columns + c;
            if (c + AHEAD < columns)
                __builtin_prefetch(hits + AHEAD * rows + level[AHEAD], 1);
            hits[*level]++;
        }
}
