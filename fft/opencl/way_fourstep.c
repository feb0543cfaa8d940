/*
 * way_fourstep.c - a frame as a matrix: a kernel for its columns, one for its rows, each in work-groups with
 * local memory. Two passes over memory for frames that do not fit into one work-group.
 */
#include <errno.h>

#include "fft/opencl/plan_parts.h"
#include "fft/twiddle.h"

enum {
    MAX_RADIX = 16,
    GROUP = 256,
    ITEMS_A_UNIT = 1024,
    LEAST_LENGTH = 16,
    LINE = 64, /* bytes of memory that are read together */
};

/* Neighbouring columns for a whole line of memory; fewer where local memory is small. */
static uint32_t tile_group(const struct opencl_spectrum *s, uint32_t length,
                           const struct opencl_stage *stages)
{
    const uint32_t line = most(s->profile.cache_line, LINE) / (uint32_t)sizeof(struct iq);
    return most(line * opencl_row_items(length, stages), GROUP);
}

/* Columns of n1 points and rows of n / n1: do both fit? */
static bool cut(struct opencl_spectrum *s, uint32_t n1, uint32_t group)
{
    uint32_t rows, at = s->job.n / 2;
    const uint32_t n2 = s->job.n / n1;
    if (n1 < LEAST_LENGTH || n2 < LEAST_LENGTH)
        return false;
    at = opencl_stages(s->stages, &s->column_stages, n1, s->choice.max_radix, 1, at);
    struct opencl_stage *const behind = s->stages + s->column_stages;
    at = opencl_stages(behind, &rows, n2, s->choice.max_radix, 1, at);
    s->stage_count = s->column_stages + rows;
    s->split = n1;
    s->bridge_at = at;
    s->rows[0] =
        opencl_rows(&s->profile, n1, s->stages, group ? group : tile_group(s, n1, s->stages), true);
    s->rows[1] = opencl_rows(&s->profile, n2, behind, group ? group : GROUP, false);
    s->rows[0] = least(s->rows[0], n2);
    s->rows[1] = least(s->rows[1], n1);
    return s->rows[0] > 0 && s->rows[1] > 0 &&
           (group == 0 ||
            most(opencl_row_items(n1, s->stages), opencl_row_items(n2, behind)) <= group);
}

static uint32_t row_items(const struct opencl_spectrum *s)
{
    return opencl_row_items(s->job.n / s->split, s->stages + s->column_stages);
}

static int fourstep_plan(struct opencl_spectrum *s)
{
    struct opencl_choice *c = &s->choice;
    uint32_t n1 = 1;
    c->max_radix = c->max_radix ? c->max_radix : MAX_RADIX;
    c->columns = 1;
    if (c->max_radix > MAX_RADIX)
        return -ENOTSUP;
    while ((uint64_t)n1 * n1 < s->job.n) /* a square, or rows half as long again */
        n1 *= 2;
    for (n1 = (uint64_t)n1 * n1 > s->job.n ? n1 / 2 : n1; !cut(s, n1, c->group); n1 /= 2) {
        if (n1 < LEAST_LENGTH)
            return -ENOTSUP;
    }
    opencl_choose_chunk(s, sizeof(struct iq) * s->job.n);
    c->group = most(s->rows[0] * opencl_row_items(s->split, s->stages), s->rows[1] * row_items(s));
    s->middle_points = (size_t)c->chunk_frames * s->job.n;
    s->tables_points =
        s->bridge_at - s->job.n / 2 + OPENCL_FINE_POINTS + parts(s->job.n, OPENCL_FINE_POINTS);
    s->groups =
        least(most((uint64_t)s->profile.units * ITEMS_A_UNIT / (s->split * row_items(s)), 1),
              c->chunk_frames);
    opencl_add_kernel(s, "columns");
    opencl_add_kernel(s, "rows");
    return 0;
}

static void fourstep_source(const struct opencl_spectrum *s, struct opencl_text *t)
{
    const uint32_t rows = s->stage_count - s->column_stages;
    opencl_text_number(t, "COLUMNS", 1);
    opencl_text_number(t, "FINE", s->bridge_at);
    opencl_text_number(t, "FINE_POINTS", OPENCL_FINE_POINTS);
    opencl_text_number(t, "COARSE", s->bridge_at + OPENCL_FINE_POINTS);
    opencl_interleaved_source(t);
    opencl_text_file(t, "group");
    opencl_text_number(t, "ROWS_ACROSS", 1);
    opencl_text_file(t, "places");
    opencl_text_define(t, "STAGE", s->kernels[0].name);
    opencl_row_source(t, s->split, s->stages, s->column_stages, s->rows[0], "columns_begin",
                      "columns_end");
    opencl_text_number(t, "ROWS_ACROSS", 0);
    opencl_text_file(t, "places");
    opencl_text_define(t, "STAGE", s->kernels[1].name);
    opencl_row_source(t, s->job.n / s->split, s->stages + s->column_stages, rows, s->rows[1],
                      "rows_begin", "group_end");
}

static void fill(struct iq *to, uint32_t count, uint64_t step, uint64_t n)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct root w = twiddle(i * step, n);
        to[i] = (struct iq){(float)w.re, (float)w.im};
    }
}

static void fourstep_tables(const struct opencl_spectrum *s, struct iq *tables)
{
    struct iq *const bridge = tables + s->bridge_at - s->job.n / 2;
    for (uint32_t i = 0; i < s->stage_count; i++) {
        if (s->stages[i].joined > 1)
            opencl_twiddles(&s->stages[i], tables + s->stages[i].twiddles_at - s->job.n / 2);
    }
    fill(bridge, OPENCL_FINE_POINTS, 1, s->job.n);
    fill(bridge + OPENCL_FINE_POINTS, parts(s->job.n, OPENCL_FINE_POINTS), OPENCL_FINE_POINTS,
         s->job.n);
}

static void fourstep_step(const struct opencl_spectrum *s, const struct opencl_chunk *c,
                          uint32_t step, struct opencl_launch *out)
{
    const uint32_t n2 = s->job.n / s->split;
    if (step == 0) {
        const uint32_t items = opencl_row_items(s->split, s->stages);
        opencl_begin(out, step, (uint64_t)n2 * items * c->frames, s->rows[0] * items);
        opencl_buffer(out, OPENCL_SAMPLES);
        opencl_buffer(out, OPENCL_TABLES);
        opencl_buffer(out, OPENCL_TABLES);
        opencl_buffer(out, OPENCL_SCRATCH);
        opencl_word(out, 0);
        opencl_word(out, c->samples_at);
        opencl_word(out, s->job.hop);
        return;
    }
    opencl_begin(out, step, (uint64_t)s->split * row_items(s) * c->groups,
                 s->rows[1] * row_items(s));
    opencl_buffer(out, OPENCL_SCRATCH);
    opencl_buffer(out, OPENCL_TABLES);
    opencl_word(out, 0);
    opencl_trace_arguments(s, c, out);
}

static uint32_t fourstep_steps(const struct opencl_spectrum *s)
{
    (void)s;
    return 2;
}

const struct opencl_way opencl_way_fourstep = {
    .plan = fourstep_plan,
    .source = fourstep_source,
    .tables = fourstep_tables,
    .step = fourstep_step,
    .steps = fourstep_steps,
};
