/*
 * opencl_strategy_fourstep.c - treats a frame as a matrix: one kernel transforms its columns, one
 * its rows, each in work-groups with local memory. Two passes over memory, for frames that do not
 * fit into one work-group.
 */
#include <errno.h>

#include "fft/opencl/opencl_strategy.h"

enum {
    MAX_RADIX = 32,
    GROUP = 256,
    ITEMS_PER_UNIT = 1024,
    MIN_LENGTH = 16,
    COLUMNS = 8, /* neighbours, of 64 bytes: a line of most memories */
};

static struct opencl_row columns_of(const struct opencl_spectrum *s)
{
    return (struct opencl_row){.length = s->split,
                               .stages = s->stages,
                               .count = s->column_stages,
                               .rows = s->rows[0],
                               .interleaved = true,
                               .windowed = true,
                               .begin = "columns_begin",
                               .end = "columns_end"};
}

static struct opencl_row rows_of(const struct opencl_spectrum *s)
{
    return (struct opencl_row){.length = s->spec.n / s->split,
                               .stages = s->stages + s->column_stages,
                               .count = s->stage_count - s->column_stages,
                               .rows = s->rows[1],
                               .shifted = true,
                               .begin = "rows_begin",
                               .frame = "rows_frame",
                               .end = "group_end"};
}

static uint32_t items_of(const struct opencl_row *row)
{
    return opencl_row_items(row->length, row->stages);
}

/* Work-items for neighbouring columns. Small local memory may reduce them. */
static uint32_t tile_group(uint32_t items)
{
    return max_u32(COLUMNS * items, GROUP);
}

/* Plans columns of n1 points and rows of n / n1. Returns whether both fit. */
static bool split_at(struct opencl_spectrum *s, uint32_t n1, uint32_t group)
{
    uint32_t rows, at = s->spec.n / 2;
    if (n1 < MIN_LENGTH || s->spec.n / n1 < MIN_LENGTH)
        return false;
    const uint32_t n2 = s->spec.n / n1, points = s->choice.max_radix;
    at = opencl_plan_row_stages(s->stages, &s->column_stages, n1, points, at);
    s->row_roots_at = at;
    at = opencl_plan_shifted_stages(s->stages + s->column_stages, &rows, n2, points, at);
    s->row_roots_points = at - s->row_roots_at;
    s->stage_count = s->column_stages + rows;
    s->split = n1;
    const struct opencl_row column = columns_of(s), row = rows_of(s);
    s->rows[0] =
        opencl_rows_per_group(&s->profile, &column, group ? group : tile_group(items_of(&column)));
    s->rows[1] = opencl_rows_per_group(&s->profile, &row, group ? group : GROUP);
    s->rows[0] = min_u32(s->rows[0], n2);
    s->rows[1] = min_u32(s->rows[1], n1);
    return s->rows[0] > 0 && s->rows[1] > 0 &&
           (group == 0 || max_u32(items_of(&column), items_of(&row)) <= group);
}

static int fourstep_plan(struct opencl_spectrum *s)
{
    struct opencl_choice *c = &s->choice;
    uint32_t n1 = 1;
    c->max_radix = c->max_radix ? c->max_radix : 16;
    c->columns = 1;
    if (c->max_radix > MAX_RADIX || c->max_radix < 4)
        return -ENOTSUP;
    while ((uint64_t)n1 * n1 < s->spec.n) /* square, or rows twice as long as columns */
        n1 *= 2;
    for (n1 = (uint64_t)n1 * n1 > s->spec.n ? n1 / 2 : n1; !split_at(s, n1, c->group); n1 /= 2) {
        if (n1 < MIN_LENGTH)
            return -ENOTSUP;
    }
    const struct opencl_row column = columns_of(s), row = rows_of(s);
    opencl_choose_chunk(s, sizeof(struct fft_iq) * s->spec.n);
    c->group =
        max_u32((uint64_t)s->rows[0] * items_of(&column), (uint64_t)s->rows[1] * items_of(&row));
    s->middle_points = (size_t)c->chunk_frames * s->spec.n;
    s->tables_points = s->row_roots_at - s->spec.n / 2 + s->split * s->row_roots_points;
    s->groups =
        min_u32(max_u32((uint64_t)s->profile.units * ITEMS_PER_UNIT / s->split / items_of(&row), 1),
                c->chunk_frames);
    opencl_add_kernel(s, "columns");
    opencl_add_kernel(s, "rows");
    return 0;
}

static void fourstep_source(const struct opencl_spectrum *s, struct opencl_text *t)
{
    const struct opencl_row column = columns_of(s), row = rows_of(s);
    opencl_text_number(t, "ROOTS_PER_ROW", s->row_roots_points);
    opencl_rows_begin_source(t);
    opencl_text_define(t, "STAGE", s->kernels[0].name);
    opencl_row_source(&column, t);
    opencl_text_define(t, "STAGE", s->kernels[1].name);
    opencl_row_source(&row, t);
}

static void fourstep_tables(const struct opencl_spectrum *s, struct fft_iq *tables)
{
    struct fft_iq *row = tables + s->row_roots_at - s->spec.n / 2;
    opencl_fill_root_tables(s, s->column_stages, tables);
    for (uint32_t k1 = 0; k1 < s->split; k1++, row += s->row_roots_points)
        for (uint32_t i = s->column_stages; i < s->stage_count; i++)
            opencl_fill_root_table(&s->stages[i], k1, s->split,
                                   row + s->stages[i].twiddles_at - s->row_roots_at);
}

static void fourstep_step(const struct opencl_spectrum *s, const struct opencl_chunk *c,
                          uint32_t step, struct opencl_launch *out)
{
    const uint32_t n2 = s->spec.n / s->split;
    if (step == 0) {
        const struct opencl_row column = columns_of(s);
        const uint32_t items = items_of(&column);
        opencl_init_launch(out, step, (uint64_t)n2 * items * c->frames, s->rows[0] * items);
        opencl_add_buffer(out, OPENCL_SAMPLES);
        opencl_add_buffer(out, OPENCL_TABLES);
        opencl_add_buffer(out, OPENCL_TABLES);
        opencl_add_buffer(out, OPENCL_SCRATCH);
        opencl_add_word(out, 0);
        opencl_add_word(out, c->samples_at);
        opencl_add_word(out, s->spec.hop);
        opencl_add_correction(s, out);
        return;
    }
    const struct opencl_row row = rows_of(s);
    opencl_init_launch(out, step, (uint64_t)s->split * items_of(&row) * c->groups,
                       s->rows[1] * items_of(&row));
    opencl_add_buffer(out, OPENCL_SCRATCH);
    opencl_add_buffer(out, OPENCL_TABLES);
    opencl_add_word(out, 0);
    opencl_add_detector_arguments(s, c, out);
}

static uint32_t fourstep_window_at(const struct opencl_spectrum *s, uint32_t i)
{
    const struct opencl_row column = columns_of(s);
    return opencl_row_window_at(i, items_of(&column), s->spec.n / s->split);
}

static uint32_t fourstep_steps(const struct opencl_spectrum *s)
{
    (void)s;
    return 2;
}

const struct opencl_strategy_ops opencl_strategy_fourstep = {
    .plan = fourstep_plan,
    .source = fourstep_source,
    .tables = fourstep_tables,
    .window_at = fourstep_window_at,
    .step = fourstep_step,
    .steps = fourstep_steps,
};
