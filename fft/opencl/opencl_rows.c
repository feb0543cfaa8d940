/* opencl_rows.c - plans and writes kernels on rows of work-items that exchange points through local
 * memory (kernels/opencl/group.cl). */
#include "fft/opencl/opencl_strategy.h"

#include <assert.h>

enum {
    SPARE_BYTES = 16,    /* of local memory that some drivers reserve */
    WORK_REGISTERS = 32, /* indices, and temporaries of a butterfly */
};

uint32_t opencl_plan_row_stages(struct opencl_stage *stages, uint32_t *count, uint32_t length,
                                uint32_t points, uint32_t twiddles_at)
{
    uint32_t left = floor_log2(length), joined = 1;
    const uint32_t max_bits = floor_log2(points);
    assert(max_bits > 0);
    *count = ceil_div(left, max_bits);
    for (uint32_t i = 0; i < *count; i++) {
        const uint32_t bits = *count == 2 && i == 0 ? ceil_div(left, 2)
                              : i == 0              ? min_u32(left, max_bits)
                                                    : left / (*count - i);
        const uint32_t radix = 1U << bits;
        stages[i] = (struct opencl_stage){
            .radix = radix, .joined = joined, .columns = 1, .twiddles_at = twiddles_at};
        twiddles_at += i > 0 ? 2 * opencl_root_pairs(radix) * joined : 0;
        joined *= radix;
        left -= bits;
    }
    return twiddles_at;
}

uint32_t opencl_plan_shifted_stages(struct opencl_stage *stages, uint32_t *count, uint32_t length,
                                    uint32_t points, uint32_t twiddles_at)
{
    const uint32_t end = opencl_plan_row_stages(stages, count, length, points, twiddles_at);
    const uint32_t first = 2 * opencl_root_pairs(stages[0].radix);
    for (uint32_t i = 1; i < *count; i++)
        stages[i].twiddles_at += first;
    return end + first;
}

uint32_t opencl_row_items(uint32_t length, const struct opencl_stage *stages)
{
    return length / stages[0].radix;
}

uint32_t opencl_row_registers(const struct opencl_row *row, unsigned detectors)
{
    const uint32_t points = row->stages[0].radix,
                   sums = detectors & ~(unsigned)FFT_DETECTOR_MEAN ? 3 : 1;
    return points * (2 + sums + row->prefetch + 2U * row->kept) + WORK_REGISTERS;
}

/* One point stays free after the points of a work-item, unless rows are interleaved. */
static uint64_t row_bytes(const struct opencl_row *row)
{
    const uint32_t free = row->interleaved ? 0 : opencl_row_items(row->length, row->stages);
    return (row->length + free) * (uint64_t)sizeof(struct fft_iq);
}

uint32_t opencl_rows_per_group(const struct opencl_profile *profile, const struct opencl_row *row,
                               uint32_t group)
{
    const uint32_t items = opencl_row_items(row->length, row->stages);
    const uint64_t capacity =
        profile->local_bytes > SPARE_BYTES ? profile->local_bytes - SPARE_BYTES : 0;
    const uint32_t fitting = min_u32(capacity / row_bytes(row), profile->max_group / items);
    uint32_t rows = 1;
    if (fitting == 0)
        return 0;
    while (2 * rows <= fitting && 2 * rows * items <= group)
        rows *= 2;
    return rows;
}

uint32_t opencl_row_window_at(uint32_t i, uint32_t items, uint32_t columns)
{
    const uint32_t point = i / columns, r = point / items, t = point % items;
    return ((r / 4 * items + t) * columns + i % columns) * 4 + r % 4;
}

/* ---- text -------------------------------------------------------------------------------- */

static void define_row(const struct opencl_row *row, struct opencl_text *t)
{
    const uint32_t first = row->stages[0].radix;
    opencl_text_number(t, "LENGTH", row->length);
    opencl_text_number(t, "REGISTERS", first);
    opencl_text_number(t, "QUARTER", first / 4);
    opencl_text_number(t, "ROWS", row->rows);
    opencl_text_number(t, "ROWS_INTERLEAVED", row->interleaved);
    opencl_text_number(t, "PREFETCH", row->prefetch);
    opencl_text_number(t, "KEPT", row->kept);
    opencl_text_number(t, "RADIX", first);
    opencl_text_number(t, "JOINED", 1);
    opencl_text_file(t, "local_layout");
}

static void define_stage(const struct opencl_stage *stage, struct opencl_text *t)
{
    opencl_text_number(t, "TWIDDLES", stage->twiddles_at);
    opencl_text_number(t, "RADIX", stage->radix);
    opencl_text_number(t, "JOINED", stage->joined);
}

/* Declares all roots, before the loop over frames. */
static void kept_roots(const struct opencl_row *row, struct opencl_text *t)
{
    const uint32_t items = opencl_row_items(row->length, row->stages);
    for (uint32_t i = 1; i < row->count; i++) {
        define_stage(&row->stages[i], t);
        opencl_roots_source(t, &row->stages[i], i, row->stages[0].radix, items);
    }
    define_stage(&row->stages[0], t);
}

static void exchange_source(const struct opencl_row *row, uint32_t i, struct opencl_text *t)
{
    const struct opencl_stage *before = &row->stages[i - 1], *here = &row->stages[i];
    opencl_text_number(t, "RADIX_BEFORE", before->radix);
    opencl_text_number(t, "JOINED_BEFORE", before->joined);
    opencl_text_number(t, "RADIX_HERE", here->radix);
    opencl_text_number(t, "JOINED_HERE", here->joined);
    opencl_text_add(t, "#undef RADIX\n#undef JOINED\n");
    opencl_text_file(t, "group_stage");
}

static void pass_source(const struct opencl_row *row, uint32_t i, struct opencl_text *t)
{
    const uint32_t items = opencl_row_items(row->length, row->stages);
    const uint32_t registers = row->stages[0].radix;
    opencl_text_number(t, "TWIDDLES", row->stages[i].twiddles_at);
    opencl_text_add(t, "{\n");
    if (!row->kept)
        opencl_roots_source(t, &row->stages[i], i, registers, items);
    opencl_later_pass_source(t, &row->stages[i], i, registers, items);
    opencl_text_add(t, "}\n");
}

void opencl_rows_begin_source(struct opencl_text *t)
{
    static const char *const files[] = {"interleaved", "codelets",    "raw",  "words",
                                        "detectors",   "butterflies", "group"};
    opencl_text_number(t, "COLUMNS", 1);
    for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++)
        opencl_text_file(t, files[i]);
}

void opencl_row_source(const struct opencl_row *row, struct opencl_text *t)
{
    define_row(row, t);
    opencl_text_file(t, row->begin);
    if (row->kept)
        kept_roots(row, t);
    if (row->frame)
        opencl_text_file(t, row->frame);
    if (row->shifted)
        pass_source(row, 0, t);
    else
        opencl_first_pass_source(t, row->stages[0].radix, row->windowed);
    for (uint32_t i = 1; i < row->count; i++) {
        exchange_source(row, i, t);
        pass_source(row, i, t);
    }
    opencl_text_file(t, row->end);
}
