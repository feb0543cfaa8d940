/* way_local.c - a frame in one work-group, exchanged through local memory: one kernel, one pass over memory. */
#include <errno.h>

#include "fft/opencl/plan_parts.h"

enum {
    MAX_RADIX = 16,
    GROUP = 128,
    ITEMS_A_UNIT = 1024, /* that keep a unit of a GPU busy */
    MOST_GROUPS = 4096,
    POINT_BYTES = sizeof(struct iq),
    SPARE_BYTES = 16, /* some drivers take that much of local memory for themselves */
};

static uint32_t items_of(const struct opencl_spectrum *s)
{
    return s->job.n / s->stages[0].radix;
}

/* Padded, as group.cl's PADDED has it. */
static uint64_t row_bytes(const struct opencl_spectrum *s)
{
    return (s->job.n + s->job.n / 16) * (uint64_t)POINT_BYTES;
}

static uint32_t rows_of(const struct opencl_spectrum *s)
{
    return s->choice.group / items_of(s);
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
    const uint64_t room = s->profile.local_bytes - (uint64_t)SPARE_BYTES;
    c->max_radix = c->max_radix ? c->max_radix : MAX_RADIX;
    c->columns = 1;
    if (c->max_radix > MAX_RADIX)
        return -ENOTSUP;
    const uint32_t end =
        opencl_stages(s->stages, &s->stage_count, s->job.n, c->max_radix, 1, s->job.n / 2);
    if (s->profile.local_bytes < SPARE_BYTES || row_bytes(s) > room ||
        items_of(s) > least(s->profile.max_group, c->group ? c->group : UINT32_MAX))
        return -ENOTSUP;
    const uint32_t group = least(c->group ? c->group : GROUP, s->profile.max_group);
    const uint32_t rows = least(most(group / items_of(s), 1), room / row_bytes(s));
    c->group = items_of(s) * rows;
    opencl_choose_chunk(s, s->job.density.columns > 0 ? s->job.n * sizeof(float) : 0);
    s->tables_points = end - s->job.n / 2;
    s->groups = groups_for(s);
    opencl_add_kernel(s, "frames");
    return 0;
}

/* A kernel in parts: the first pass, a piece for each of the others, the traces. */
static void local_source(const struct opencl_spectrum *s, struct opencl_text *t)
{
    opencl_text_number(t, "COLUMNS", 1);
    opencl_text_number(t, "REGISTERS", s->stages[0].radix);
    opencl_text_number(t, "ROWS", rows_of(s));
    opencl_text_define(t, "STAGE", s->kernels[0].name);
    opencl_text_file(t, "interleaved");
    opencl_text_file(t, "codelets");
    opencl_text_file(t, "raw");
    opencl_text_file(t, "samples");
    opencl_text_file(t, "traces");
    opencl_text_file(t, "group");
    opencl_text_number(t, "RADIX", s->stages[0].radix);
    opencl_text_number(t, "JOINED", 1);
    opencl_text_file(t, "group_begin");
    for (uint32_t i = 1; i < s->stage_count; i++) {
        opencl_text_number(t, "TWIDDLES", s->stages[i].twiddles_at);
        opencl_text_number(t, "RADIX_BEFORE", s->stages[i - 1].radix);
        opencl_text_number(t, "JOINED_BEFORE", s->stages[i - 1].joined);
        opencl_text_number(t, "RADIX_HERE", s->stages[i].radix);
        opencl_text_number(t, "JOINED_HERE", s->stages[i].joined);
        opencl_text_add(t, "#undef RADIX\n#undef JOINED\n");
        opencl_text_file(t, "group_stage");
    }
    opencl_text_file(t, "group_end");
}

static void local_tables(const struct opencl_spectrum *s, struct iq *tables)
{
    for (uint32_t i = 1; i < s->stage_count; i++)
        opencl_twiddles(&s->stages[i], tables + s->stages[i].twiddles_at - s->job.n / 2);
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
    .tables = local_tables,
    .step = local_step,
    .steps = local_steps,
};
