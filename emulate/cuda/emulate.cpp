/* emulate.cpp - finds emulated kernels by name and runs their launches. */
#include "emulate/cuda/emulate.h"

#include <cstring>

#include "emulate/cuda/entry.h"
#include "emulate/cuda/fibres.h"
#include "emulate/cuda/shim.h"
#include "emulate/cuda/stores.h"
#include "kernels/cuda/forms.h"
#include "kernels/cuda/transform_forms.h"
#include "kernels/cuda/transform_real_forms.h"
#include "kernels/cuda/transform_smooth_forms.h"

#define DECLARE_MEAN(n, e, r0, r1, r2, r3, rows, blocks, format)                                   \
    DECLARE(spectrum_mean_##format##_##n##x##rows, spectrum_args)
#define DECLARE_PLAIN(n, e, r0, r1, r2, r3, rows, blocks, format)                                  \
    DECLARE(spectrum_plain_##format##_##n, spectrum_args)
#define DECLARE_SINGLE(n, e, r0, r1, r2, r3, rows, blocks, format)                                 \
    DECLARE(spectrum_single_##format##_##n, spectrum_args)
#define DECLARE_DETECTORS(n, e, r0, r1, r2, r3, rows, blocks, format)                              \
    DECLARE(spectrum_detectors_##format##_##n, spectrum_args)
#define DECLARE_ALL(n, e, r0, r1, r2, r3, rows, blocks, format)                                    \
    DECLARE(spectrum_all_##format##_##n, spectrum_args)
#define DECLARE_PAIRS(n, e, r0, r1, pairs, blocks, format)                                         \
    DECLARE(spectrum_pairs_##format##_##n, spectrum_args)
#define DECLARE_PARTS(n, e, r0, r1, parts, blocks, format)                                         \
    DECLARE(spectrum_parts_##format##_##n, spectrum_args)
#define DECLARE_PARTS_MEAN(n, e, r0, r1, parts, blocks, format)                                    \
    DECLARE(spectrum_parts_mean_##format##_##n, spectrum_args)
#define DECLARE_CLUSTER_MEAN(n, e, r0, r1, parts, cluster, blocks, format)                         \
    DECLARE(spectrum_cluster_mean_##format##_##n##x##cluster, spectrum_args)
#define DECLARE_CLUSTER_ALL(n, e, r0, r1, parts, cluster, blocks, format)                          \
    DECLARE(spectrum_cluster_##format##_##n##x##cluster, spectrum_args)
#define DECLARE_RELAY(n, row, r0, r1, r2, rows, format)                                            \
    DECLARE(spectrum_relay_mean_##format##_##n, spectrum_args)                                     \
    DECLARE(spectrum_relay_##format##_##n, spectrum_args)
#define DECLARE_COLUMNS(n, e, r0, r1, r2, r3, rows, blocks, format)                                \
    DECLARE(columns_##format##_##n##x##rows, spectrum_args)
#define DECLARE_ROWS(n, e, r0, r1, r2, r3, rows, blocks, fold)                                     \
    DECLARE(rows_##fold##_##n, spectrum_args)
#define DECLARE_FORMAT(format)                                                                     \
    MEAN_FORMS(DECLARE_MEAN, format)                                                               \
    PLAIN_FORMS(DECLARE_PLAIN, format)                                                             \
    SINGLE_FORMS(DECLARE_SINGLE, format)                                                           \
    DETECTORS_FORMS(DECLARE_DETECTORS, format)                                                     \
    ALL_FORMS(DECLARE_ALL, format)                                                                 \
    PAIRS_FORMS(DECLARE_PAIRS, format)                                                             \
    PARTS_FORMS(DECLARE_PARTS, format)                                                             \
    PARTS_MEAN_FORMS(DECLARE_PARTS_MEAN, format)                                                   \
    CLUSTER_MEAN_FORMS(DECLARE_CLUSTER_MEAN, format)                                               \
    CLUSTER_ALL_FORMS(DECLARE_CLUSTER_ALL, format)                                                 \
    RELAY_FORMS(DECLARE_RELAY, format)                                                             \
    COLUMNS_FORMS(DECLARE_COLUMNS, format)

DECLARE_FORMAT(cu8)
DECLARE_FORMAT(cs8)
DECLARE_FORMAT(cs16)
DECLARE_FORMAT(cf32)
ROWS_MEAN_FORMS(DECLARE_ROWS, mean)
ROWS_DETECTORS_FORMS(DECLARE_ROWS, detectors)
DECLARE(combine, combine_args)
DECLARE(density_count, density_args)
DECLARE(clear, clear_args)
DECLARE(transform_rows, pass_args)
DECLARE(transform_rows_r2c, pass_args)
DECLARE(transform_rows_c2r, pass_args)
DECLARE(transform_rows_wide, pass_args)
DECLARE(transform_rows_r2c_wide, pass_args)
DECLARE(transform_rows_c2r_wide, pass_args)
DECLARE(real_gather, pass_args)
DECLARE(real_scatter, pass_args)
DECLARE(real_part, pass_args)
DECLARE(real_join, pass_args)

#define DECLARE_BY_LENGTH(n, e, r0, r1, r2, r3, rows, blocks, family)                              \
    DECLARE(transform_##family##_##n, pass_args)
#define DECLARE_BY_WIDTH(n, e, r0, r1, r2, r3, rows, blocks, family)                               \
    DECLARE(transform_##family##_##n##x##rows, pass_args)
ALONG_FORMS(DECLARE_BY_LENGTH, along)
STAGED_FORMS(DECLARE_BY_LENGTH, staged)
WHOLE_FORMS(DECLARE_BY_LENGTH, whole)
PART_FORMS(DECLARE_BY_LENGTH, part)
JOIN_FORMS(DECLARE_BY_LENGTH, join)
PART_WHOLE_FORMS(DECLARE_BY_LENGTH, part_whole)
JOIN_WHOLE_FORMS(DECLARE_BY_LENGTH, join_whole)
JOIN_COLUMNS_FORMS(DECLARE_BY_LENGTH, join_columns)
PART_ROWS_FORMS(DECLARE_BY_LENGTH, part_rows)
SMOOTH_ALONG_FORMS(DECLARE_BY_LENGTH, smooth_along)
SMOOTH_WHOLE_FORMS(DECLARE_BY_LENGTH, smooth_whole)
SMOOTH_ACROSS_FORMS(DECLARE_BY_LENGTH, smooth_across)
ACROSS_FORMS(DECLARE_BY_WIDTH, across)
BRIDGE_FORMS(DECLARE_BY_WIDTH, bridge)
#define DECLARE_CLUSTER(n, ...)                                                                    \
    DECLARE(transform_cluster_##n, pass_args)                                                      \
    DECLARE(transform_cluster_part_##n, pass_args)                                                 \
    DECLARE(transform_cluster_join_##n, pass_args)
CLUSTER_FORMS(DECLARE_CLUSTER)
#define DECLARE_PLANE(rows, n, ...) DECLARE(transform_plane_##rows##x##n, pass_args)
PLANE_FORMS(DECLARE_PLANE)

namespace
{

#define MEAN_ENTRY(n, e, r0, r1, r2, r3, rows, blocks, format)                                     \
    ENTRY("spectrum_" #format, spectrum_mean_##format##_##n##x##rows, spectrum_args)
#define PLAIN_ENTRY(n, e, r0, r1, r2, r3, rows, blocks, format)                                    \
    ENTRY("spectrum_" #format, spectrum_plain_##format##_##n, spectrum_args)
#define SINGLE_ENTRY(n, e, r0, r1, r2, r3, rows, blocks, format)                                   \
    ENTRY("spectrum_" #format, spectrum_single_##format##_##n, spectrum_args)
#define DETECTORS_ENTRY(n, e, r0, r1, r2, r3, rows, blocks, format)                                \
    ENTRY("spectrum_" #format, spectrum_detectors_##format##_##n, spectrum_args)
#define ALL_ENTRY(n, e, r0, r1, r2, r3, rows, blocks, format)                                      \
    ENTRY("spectrum_" #format, spectrum_all_##format##_##n, spectrum_args)
#define PAIRS_ENTRY(n, e, r0, r1, pairs, blocks, format)                                           \
    ENTRY("spectrum_" #format, spectrum_pairs_##format##_##n, spectrum_args)
#define PARTS_ENTRY(n, e, r0, r1, parts, blocks, format)                                           \
    ENTRY("spectrum_" #format, spectrum_parts_##format##_##n, spectrum_args)
#define PARTS_MEAN_ENTRY(n, e, r0, r1, parts, blocks, format)                                      \
    ENTRY("spectrum_" #format, spectrum_parts_mean_##format##_##n, spectrum_args)
#define CLUSTER_MEAN_ENTRY(n, e, r0, r1, parts, cluster, blocks, format)                           \
    ENTRY("spectrum_" #format, spectrum_cluster_mean_##format##_##n##x##cluster, spectrum_args)
#define CLUSTER_ALL_ENTRY(n, e, r0, r1, parts, cluster, blocks, format)                            \
    ENTRY("spectrum_" #format, spectrum_cluster_##format##_##n##x##cluster, spectrum_args)
#define RELAY_ENTRY(n, row, r0, r1, r2, rows, format)                                              \
    ENTRY("spectrum_" #format, spectrum_relay_mean_##format##_##n, spectrum_args)                  \
    ENTRY("spectrum_" #format, spectrum_relay_##format##_##n, spectrum_args)
#define COLUMNS_ENTRY(n, e, r0, r1, r2, r3, rows, blocks, format)                                  \
    ENTRY("spectrum_" #format, columns_##format##_##n##x##rows, spectrum_args)
#define ROWS_ENTRY(n, e, r0, r1, r2, r3, rows, blocks, fold)                                       \
    ENTRY("spectrum_rows", rows_##fold##_##n, spectrum_args)
#define LENGTH_ENTRY(n, e, r0, r1, r2, r3, rows, blocks, family)                                   \
    ENTRY("transform_along", transform_##family##_##n, pass_args)
#define REAL_ENTRY(n, e, r0, r1, r2, r3, rows, blocks, family)                                     \
    ENTRY("transform_real", transform_##family##_##n, pass_args)
#define LONG_REAL_ENTRY(n, e, r0, r1, r2, r3, rows, blocks, family)                                \
    ENTRY("transform_parts", transform_##family##_##n, pass_args)
#define SMOOTH_ENTRY(n, e, r0, r1, r2, r3, rows, blocks, family)                                   \
    ENTRY("transform_" #family, transform_##family##_##n, pass_args)
#define SMOOTH_WHOLE_ENTRY(n, ...)                                                                 \
    ENTRY("transform_smooth_along", transform_smooth_whole_##n, pass_args)
#define WIDTH_ENTRY(n, e, r0, r1, r2, r3, rows, blocks, family)                                    \
    ENTRY("transform_" #family, transform_##family##_##n##x##rows, pass_args)
#define CLUSTER_ENTRY(n, ...)                                                                      \
    ENTRY("transform_bridge", transform_cluster_##n, pass_args)                                    \
    ENTRY("transform_bridge", transform_cluster_part_##n, pass_args)                               \
    ENTRY("transform_bridge", transform_cluster_join_##n, pass_args)
#define PLANE_ENTRY(rows, n, ...) ENTRY("transform_plane", transform_plane_##rows##x##n, pass_args)
#define FORMAT_ENTRIES(format)                                                                     \
    MEAN_FORMS(MEAN_ENTRY, format)                                                                 \
    PLAIN_FORMS(PLAIN_ENTRY, format)                                                               \
    SINGLE_FORMS(SINGLE_ENTRY, format)                                                             \
    DETECTORS_FORMS(DETECTORS_ENTRY, format)                                                       \
    ALL_FORMS(ALL_ENTRY, format)                                                                   \
    PAIRS_FORMS(PAIRS_ENTRY, format)                                                               \
    PARTS_FORMS(PARTS_ENTRY, format)                                                               \
    PARTS_MEAN_FORMS(PARTS_MEAN_ENTRY, format)                                                     \
    CLUSTER_MEAN_FORMS(CLUSTER_MEAN_ENTRY, format)                                                 \
    CLUSTER_ALL_FORMS(CLUSTER_ALL_ENTRY, format)                                                   \
    RELAY_FORMS(RELAY_ENTRY, format)                                                               \
    COLUMNS_FORMS(COLUMNS_ENTRY, format)

const emulate_entry engine_entries[] = {
    /* clang-format off */
    FORMAT_ENTRIES(cu8)
    FORMAT_ENTRIES(cs8)
    FORMAT_ENTRIES(cs16)
    FORMAT_ENTRIES(cf32)
    ROWS_MEAN_FORMS(ROWS_ENTRY, mean)
    ROWS_DETECTORS_FORMS(ROWS_ENTRY, detectors)
    ENTRY("fold", combine, combine_args)
    ENTRY("fold", density_count, density_args)
    ENTRY("fold", clear, clear_args)
    ENTRY("pass", transform_rows, pass_args)
    ENTRY("pass", transform_rows_r2c, pass_args)
    ENTRY("pass", transform_rows_c2r, pass_args)
    ENTRY("pass", transform_rows_wide, pass_args)
    ENTRY("pass", transform_rows_r2c_wide, pass_args)
    ENTRY("pass", transform_rows_c2r_wide, pass_args)
    ENTRY("real", real_gather, pass_args)
    ENTRY("real", real_scatter, pass_args)
    ENTRY("real", real_part, pass_args)
    ENTRY("real", real_join, pass_args)
    ALONG_FORMS(LENGTH_ENTRY, along)
    STAGED_FORMS(LENGTH_ENTRY, staged)
    WHOLE_FORMS(LENGTH_ENTRY, whole)
    PART_FORMS(REAL_ENTRY, part)
    JOIN_FORMS(REAL_ENTRY, join)
    PART_WHOLE_FORMS(REAL_ENTRY, part_whole)
    JOIN_WHOLE_FORMS(REAL_ENTRY, join_whole)
    JOIN_COLUMNS_FORMS(LONG_REAL_ENTRY, join_columns)
    PART_ROWS_FORMS(LONG_REAL_ENTRY, part_rows)
    SMOOTH_ALONG_FORMS(SMOOTH_ENTRY, smooth_along)
    SMOOTH_WHOLE_FORMS(SMOOTH_WHOLE_ENTRY)
    SMOOTH_ACROSS_FORMS(SMOOTH_ENTRY, smooth_across)
    ACROSS_FORMS(WIDTH_ENTRY, across)
    BRIDGE_FORMS(WIDTH_ENTRY, bridge)
    CLUSTER_FORMS(CLUSTER_ENTRY)
    PLANE_FORMS(PLANE_ENTRY)
    /* clang-format on */
};

const emulate_table *tables;
const emulate_table engine_table(engine_entries, sizeof engine_entries / sizeof engine_entries[0]);

/* module: NULL for any. */
const emulate_entry *find(const char *module, const char *kernel)
{
    for (const emulate_table *t = tables; t; t = t->next)
        for (const emulate_entry *e = t->entries; e < t->entries + t->count; e++)
            if ((!module || strcmp(e->module, module) == 0) && strcmp(e->name, kernel) == 0)
                return e;
    return nullptr;
}

} // namespace

emulate_table::emulate_table(const emulate_entry *first, unsigned total)
    : entries(first), count(total), next(tables)
{
    tables = this;
}

const char *emulate_module(const char *kernel)
{
    const emulate_entry *e = find(nullptr, kernel);
    return e ? e->module : nullptr;
}

bool emulate_has(const char *module, const char *kernel)
{
    return find(module, kernel) != nullptr;
}

const char *emulate_launch(const struct cuda_launch *launch)
{
    return emulate_run(launch, &launch->args);
}

const char *emulate_run(const struct cuda_launch *launch, const void *args)
{
    const emulate_entry *e = find(launch->module, launch->kernel);
    if (!e)
        return "no such kernel";

    const unsigned together = launch->together ? launch->grid[0] : launch->cluster;
    stores_begin_launch();
    shared_begin_launch();
    gridDim = {launch->grid[0], launch->grid[1], launch->grid[2]};
    for (unsigned z = 0; z < gridDim.z; z++)
        for (unsigned y = 0; y < gridDim.y; y++)
            for (unsigned x = 0; x < gridDim.x; x += together) {
                blockIdx = {x, y, z};
                const char *error =
                    fibres_run(together, launch->block, launch->shared, e->run, args);
                stores_end_block();
                shared_end_block();
                if (error)
                    return error;
            }
    return nullptr;
}
