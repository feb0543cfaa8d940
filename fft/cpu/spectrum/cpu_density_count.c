/* cpu_density_count.c - counts the levels of several frames. */
#include "fft/cpu/spectrum/cpu_density_map.h"

enum {
    AHEAD = 4,
    EVERY = 8
}; /* fetch the counters of the column AHEAD, those of every EVERY-th frame */

#define DEFINE_COUNT(type)                                                                         \
    static void fetch_##type(const uint32_t *rows, const type *level, uint32_t frames)             \
    {                                                                                              \
        for (uint32_t frame = 0; frame < frames; frame += EVERY)                                   \
            __builtin_prefetch(rows + level[(size_t)frame * DENSITY_BLOCK], 1);                    \
    }                                                                                              \
    /* One column. Not inlined, so that the compiler keeps `rows` in a register. */                \
    static __attribute__((noinline)) void count_##type(uint32_t *rows, const type *level,          \
                                                       uint32_t frames)                            \
    {                                                                                              \
        _Pragma("GCC unroll 8") for (uint32_t frame = 0; frame < frames; frame++)                  \
            rows[level[(size_t)frame * DENSITY_BLOCK]]++;                                          \
    }                                                                                              \
    static void count_all_##type(const struct density_map *map, const type *levels,                \
                                 uint32_t frames, uint32_t *hits)                                  \
    {                                                                                              \
        for (uint32_t i = 0; i < map->columns; i++) {                                              \
            if (i + AHEAD < map->columns)                                                          \
                fetch_##type(cpu_density_counters(map, i + AHEAD, hits),                           \
                             levels + cpu_density_level_at(map, i + AHEAD, 0), frames);            \
            count_##type(cpu_density_counters(map, i, hits),                                       \
                         levels + cpu_density_level_at(map, i, 0), frames);                        \
        }                                                                                          \
    }
DEFINE_COUNT(uint8_t)
DEFINE_COUNT(uint16_t)

void cpu_density_map_count(const struct density_map *map, const void *levels, uint32_t frames,
                           uint32_t *hits)
{
    if (map->wide)
        count_all_uint16_t(map, levels, frames, hits);
    else
        count_all_uint8_t(map, levels, frames, hits);
}
