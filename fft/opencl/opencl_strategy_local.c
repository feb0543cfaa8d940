/* opencl_strategy_local.c - one work-group for a frame, with exchange through local memory: one
 * kernel, one pass over memory. */
#include <errno.h>

#include "fft/opencl/opencl_strategy.h"

enum {
    MAX_POINTS = 32, /* of a work-item */
    MIN_POINTS = 4,
    GROUP = 64,
    UNIT_REGISTERS = 65536, /* of a compute unit of NVIDIA or AMD; others have about as many */
    KEPT_POINTS = 16,       /* with more points, more work-items gain more than kept tables */
};

static struct opencl_row row_of(const struct opencl_spectrum *s)
{
    return (struct opencl_row){.length = s->spec.n,
                               .stages = s->stages,
                               .count = s->stage_count,
                               .rows = s->rows[0],
                               .windowed = true,
                               .prefetch = s->prefetch,
                               .kept = s->kept,
                               .begin = "group_begin",
                               .frame = "group_frame",
                               .end = "group_end"};
}

static uint32_t items_of(const struct opencl_spectrum *s)
{
    return opencl_row_items(s->spec.n, s->stages);
}

static uint32_t registers_of(const struct opencl_spectrum *s)
{
    const struct opencl_row row = row_of(s);
    return opencl_row_registers(&row, s->spec.detectors);
}

/* ---- points of a work-item --------------------------------------------------------------- */

/* A work-item may use the registers of the device, and at most its share of a unit. */
static bool registers_suffice(const struct opencl_spectrum *s)
{
    return registers_of(s) <=
           min_u32(opencl_profile_registers(&s->profile), UNIT_REGISTERS / items_of(s));
}

/* Plans passes of up to `points` points, and prefetches and keeps what the remaining registers
 * hold. */
static void plan_points(struct opencl_spectrum *s, uint32_t points)
{
    const uint32_t tables_at = s->spec.n / 2;
    s->tables_points =
        opencl_plan_row_stages(s->stages, &s->stage_count, s->spec.n, points, tables_at) -
        tables_at;
    s->prefetch = true;
    s->kept = s->stages[0].radix <= KEPT_POINTS;
    s->kept = s->kept && registers_suffice(s);
    s->prefetch = registers_suffice(s);
}

/*
 * More points of a work-item mean fewer exchanges. But prefetching the samples of the next frame
 * gains more than doubling the points. So this takes the most points that leave registers to
 * prefetch, else the most points that fit.
 */
static void choose_points(struct opencl_spectrum *s)
{
    for (int without = 0; without < 2; without++)
        for (uint32_t points = MAX_POINTS; points >= MIN_POINTS; points /= 2) {
            plan_points(s, points);
            if (registers_suffice(s) && (s->prefetch || without) &&
                items_of(s) <= s->profile.max_group)
                return;
        }
}

/* ---- the plan ---------------------------------------------------------------------------- */

/* The number of groups that fill the device. Each group stays resident from its first frame to its
 * last. */
static uint32_t groups_for(const struct opencl_spectrum *s)
{
    const uint32_t items = UNIT_REGISTERS / registers_of(s);
    const uint64_t wanted = (uint64_t)s->profile.units * max_u32(items / s->choice.group, 1);
    return min_u32(wanted * s->rows[0], s->choice.chunk_frames);
}

static int local_plan(struct opencl_spectrum *s)
{
    struct opencl_choice *c = &s->choice;
    if (c->max_radix > 0 && (c->max_radix > MAX_POINTS || c->max_radix < MIN_POINTS))
        return -ENOTSUP;
    if (c->max_radix > 0)
        plan_points(s, c->max_radix);
    else
        choose_points(s);
    c->max_radix = s->stages[0].radix;
    c->columns = 1;
    const struct opencl_row row = row_of(s);
    s->rows[0] = opencl_rows_per_group(&s->profile, &row, c->group ? c->group : GROUP);
    if (s->rows[0] == 0 || (c->group > 0 && items_of(s) > c->group))
        return -ENOTSUP;
    c->group = items_of(s) * s->rows[0];
    opencl_choose_chunk(s, s->spec.density.columns > 0 ? s->spec.n * sizeof(float) : 0);
    s->groups = groups_for(s);
    opencl_add_kernel(s, "frames");
    return 0;
}

static void local_source(const struct opencl_spectrum *s, struct opencl_text *t)
{
    const struct opencl_row row = row_of(s);
    opencl_text_define(t, "STAGE", s->kernels[0].name);
    opencl_rows_begin_source(t);
    opencl_row_source(&row, t);
}

static void local_tables(const struct opencl_spectrum *s, struct fft_iq *tables)
{
    opencl_fill_root_tables(s, s->stage_count, tables);
}

static uint32_t local_window_at(const struct opencl_spectrum *s, uint32_t i)
{
    return opencl_row_window_at(i, items_of(s), 1);
}

static void local_step(const struct opencl_spectrum *s, const struct opencl_chunk *c, uint32_t step,
                       struct opencl_launch *out)
{
    opencl_init_launch(out, step, (uint64_t)c->groups * items_of(s), s->choice.group);
    opencl_add_buffer(out, OPENCL_SAMPLES);
    opencl_add_buffer(out, OPENCL_TABLES);
    opencl_add_buffer(out, OPENCL_TABLES);
    opencl_add_word(out, c->samples_at);
    opencl_add_word(out, s->spec.hop);
    opencl_add_detector_arguments(s, c, out);
    opencl_add_correction(s, out);
}

static uint32_t local_steps(const struct opencl_spectrum *s)
{
    (void)s;
    return 1;
}

const struct opencl_strategy_ops opencl_strategy_local = {
    .plan = local_plan,
    .source = local_source,
    .tables = local_tables,
    .window_at = local_window_at,
    .step = local_step,
    .steps = local_steps,
};
