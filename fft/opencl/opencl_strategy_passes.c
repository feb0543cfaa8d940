/* opencl_strategy_passes.c - one kernel for each pass, from global memory to global memory: for
 * devices without local memory. */
#include <errno.h>

#include "fft/opencl/opencl_strategy.h"

enum {
    GROUP = 64,            /* work-items of a group */
    ITEMS_PER_UNIT = 1024, /* work-items that keep a unit of a GPU busy */
};

/* The number of groups that gives every unit work. */
static uint32_t groups_for(const struct opencl_spectrum *s, uint32_t last_radix)
{
    const uint64_t items = s->spec.n / last_radix / s->choice.columns;
    const uint64_t wanted = s->profile.type == OPENCL_CPU
                                ? (uint64_t)2 * s->profile.units
                                : (uint64_t)s->profile.units * ITEMS_PER_UNIT / items;
    return min_u32(max_u32(wanted, 1), s->choice.chunk_frames);
}

static int passes_plan(struct opencl_spectrum *s)
{
    struct opencl_choice *c = &s->choice;
    char name[16];
    c->max_radix = c->max_radix ? c->max_radix : 8;
    c->group = min_u32(c->group ? c->group : GROUP, s->profile.max_group);
    c->columns = c->columns ? c->columns : 2;
    if (c->max_radix < 2 || c->max_radix > 16 || c->columns > 2)
        return -ENOTSUP;
    opencl_choose_chunk(s, 2 * sizeof(struct fft_iq) * s->spec.n);
    const uint32_t end = opencl_plan_stages(s->stages, &s->stage_count, s->spec.n, c->max_radix,
                                            c->columns, s->spec.n / 2);
    s->scale_at = end;
    s->tables_points = end - s->spec.n / 2 + (c->half ? 2 : 0); /* the order of digitrev follows */
    s->middle_points = (size_t)2 * c->chunk_frames * s->spec.n;
    s->groups = groups_for(s, s->stages[s->stage_count - 1].radix);
    for (uint32_t i = 0; i < s->stage_count; i++) {
        snprintf(name, sizeof name, "stage%u", i);
        opencl_add_kernel(s, name);
    }
    return 0;
}

static void passes_source(const struct opencl_spectrum *s, struct opencl_text *t)
{
    const uint32_t last = s->stage_count - 1;
    opencl_text_number(t, "COLUMNS", s->choice.columns);
    opencl_text_define(t, "LENGTH", "POINTS");
    opencl_text_define(t, "REGISTERS", "RADIX");
    opencl_passes_source(s, t);
    for (uint32_t i = 0; i <= last; i++) {
        opencl_text_define(t, "STAGE", s->kernels[i].name);
        opencl_stage_source(t, &s->stages[i],
                            i == 0      ? "spectrum_first"
                            : i == last ? "spectrum_last"
                                        : "spectrum_middle");
    }
}

static void passes_step(const struct opencl_spectrum *s, const struct opencl_chunk *c,
                        uint32_t step, struct opencl_launch *out)
{
    const bool is_last = step == s->stage_count - 1;
    const uint64_t items = s->spec.n / s->stages[step].radix / s->choice.columns;
    const size_t half = s->middle_points / 2, to = step % 2 ? half : 0, from = half - to;
    opencl_init_launch(out, step, items * (is_last ? c->groups : c->frames), s->choice.group);
    if (step == 0) {
        opencl_add_buffer(out, OPENCL_SAMPLES);
        opencl_add_buffer(out, OPENCL_TABLES);
        opencl_add_buffer(out, OPENCL_SCRATCH);
        opencl_add_word(out, to);
        opencl_add_word(out, c->samples_at);
        opencl_add_word(out, s->spec.hop);
        opencl_add_word(out, c->frames);
        opencl_add_correction(s, out);
        return;
    }
    opencl_add_buffer(out, OPENCL_SCRATCH);
    opencl_add_buffer(out, OPENCL_TABLES);
    opencl_add_word(out, from);
    if (is_last) {
        opencl_add_detector_arguments(s, c, out);
    } else {
        opencl_add_word(out, to);
        opencl_add_word(out, c->frames);
    }
}

static uint32_t passes_steps(const struct opencl_spectrum *s)
{
    return s->stage_count;
}

const struct opencl_strategy_ops opencl_strategy_passes = {
    .plan = passes_plan,
    .source = passes_source,
    .tables = opencl_fill_twiddle_tables,
    .stores_half = true,
    .step = passes_step,
    .computes_twiddles = true,
    .steps = passes_steps,
};
