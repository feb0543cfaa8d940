/* density_map.c - the bins of every column, and the levels as a line over log2 of the power. */
#include "fft/cpu/spectrum/density_map.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { LINE = 32 }; /* levels in a cache line */

int cpu_density_map_init(struct density_map *map, const struct fft_density *density, uint32_t n)
{
    const uint64_t columns = density->columns;

    *map = (struct density_map){
        .columns = density->columns,
        .levels = density->levels,
        .offset = density->top_db / density->step_db,
        .slope = (float)(10 * log10(2.0) / (double)density->step_db),
    };
    map->stride = (((size_t)columns + LINE - 1) / LINE | 1) * LINE;
    map->first = calloc((size_t)columns + 1, sizeof *map->first);
    if (!map->first)
        return -ENOMEM;
    /* Column of bin k is floor(k * columns / n): column c starts at k = ceil(c * n / columns). */
    for (uint64_t c = 0; c <= columns; c++)
        map->first[c] = (uint32_t)((c * n + columns - 1) / columns);
    return 0;
}

void cpu_density_map_finish(struct density_map *map)
{
    free(map->first);
    free(map->column_of);
    map->first = map->column_of = NULL;
}

static uint32_t *counters(const struct density_map *map, size_t i, uint32_t *hits)
{
    return hits + (map->column_of ? map->column_of[i] : i) * map->levels;
}

enum {
    AHEAD = 4,
    EVERY = 8
}; /* fetch the counters of the column AHEAD, those of every EVERY-th frame */

static void fetch_counters(const uint32_t *rows, const uint16_t *level, size_t stride,
                           uint32_t frames)
{
    for (uint32_t frame = 0; frame < frames; frame += EVERY, level += EVERY * stride)
        __builtin_prefetch(rows + *level, 1);
}

/* One column. Not inlined, so that the compiler keeps `rows` in a register. */
static __attribute__((noinline)) void count(uint32_t *rows, const uint16_t *level, size_t stride,
                                            uint32_t frames)
{
#pragma GCC unroll 8
    for (uint32_t frame = 0; frame < frames; frame++, level += stride)
        rows[*level]++;
}

void cpu_density_map_count(const struct density_map *map, const uint16_t *levels, uint32_t frames,
                           uint32_t *hits)
{
    const size_t columns = map->columns, stride = map->stride;
    for (size_t i = 0; i < columns; i++) {
        const uint16_t *level = levels + i;
        if (i + AHEAD < columns)
            fetch_counters(counters(map, i + AHEAD, hits), level + AHEAD, stride, frames);
        count(counters(map, i, hits), level, stride, frames);
    }
}
