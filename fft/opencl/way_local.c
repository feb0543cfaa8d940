/* way_local.c - a frame in one work-group, exchanged through local memory: one kernel, one pass over memory. */
#include <errno.h>

#include "fft/opencl/plan_parts.h"

enum {
    MAX_RADIX = 16,
    GROUP = 128,
    ITEMS_A_UNIT = 1024, /* that keep a unit of a GPU busy */
    MOST_GROUPS = 4096,
};

static uint32_t items_of(const struct opencl_spectrum *s)
{
    return opencl_row_items(s->job.n, s->stages);
}

/* Rows of frames that fill the device. */
static uint32_t groups_for(const struct opencl_spectrum *s)
{
    const uint64_t wanted = (uint64_t)s->profile.units * ITEMS_A_UNIT / items_of(s);
    return least(least(most(wanted, 1), MOST_GROUPS), s->choice.chunk_frames);
}

static int local_plan(struct opencl_spectrum *s)
{
    struct opencl_choice *c = &s->choice;
    c->max_radix = c->max_radix ? c->max_radix : MAX_RADIX;
    c->columns = 1;
    if (c->max_radix > MAX_RADIX)
        return -ENOTSUP;
    const uint32_t end =
        opencl_stages(s->stages, &s->stage_count, s->job.n, c->max_radix, 1, s->job.n / 2);
    s->rows[0] = opencl_rows(&s->profile, s->job.n, s->stages, c->group ? c->group : GROUP, false);
    if (s->rows[0] == 0 || (c->group > 0 && items_of(s) > c->group))
        return -ENOTSUP;
    c->group = items_of(s) * s->rows[0];
    opencl_choose_chunk(s, s->job.density.columns > 0 ? s->job.n * sizeof(float) : 0);
    s->tables_points = end - s->job.n / 2;
    s->groups = groups_for(s);
    opencl_add_kernel(s, "frames");
    return 0;
}

static void local_source(const struct opencl_spectrum *s, struct opencl_text *t)
{
    opencl_text_number(t, "COLUMNS", 1);
    opencl_text_number(t, "ROWS_ACROSS", 0);
    opencl_text_define(t, "STAGE", s->kernels[0].name);
    opencl_interleaved_source(t);
    opencl_text_file(t, "group");
    opencl_text_file(t, "places");
    opencl_row_source(t, s->job.n, s->stages, s->stage_count, s->rows[0], "group_begin",
                      "group_end");
}

static void local_step(const struct opencl_spectrum *s, const struct opencl_chunk *c, uint32_t step,
                       struct opencl_launch *out)
{
    opencl_begin(out, step, (uint64_t)c->groups * items_of(s), s->choice.group);
    opencl_buffer(out, OPENCL_SAMPLES);
    opencl_buffer(out, OPENCL_TABLES);
    opencl_buffer(out, OPENCL_TABLES);
    opencl_word(out, c->samples_at);
    opencl_word(out, s->job.hop);
    opencl_trace_arguments(s, c, out);
}

static uint32_t local_steps(const struct opencl_spectrum *s)
{
    (void)s;
    return 1;
}

const struct opencl_way opencl_way_local = {
    .plan = local_plan,
    .source = local_source,
    .tables = opencl_twiddle_tables,
    .step = local_step,
    .steps = local_steps,
};
