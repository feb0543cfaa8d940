/* opencl_strategy_whole.c - one work-item for a whole frame: for processors with caches and wide
 * vectors. */
#include <errno.h>

#include "fft/opencl/opencl_strategy.h"

enum {
    MAX_RADIX = 16,
    BEST_RADIX = 8,
    WIDEST = 16,
    NARROWEST = 4
}; /* radix 16 needs too many registers */

/* Plans passes whose first radix is a multiple of the number of columns. So `joined` is such a
 * multiple in all later passes. The later radices are as equal as possible. */
static bool plan_stages(struct opencl_spectrum *s, uint32_t width, uint32_t first)
{
    uint32_t count;
    struct opencl_stage *rest = s->stages + 1;
    const uint32_t end =
        opencl_plan_stages(rest, &count, s->spec.n / first, s->choice.max_radix, width, 0);
    uint32_t at = s->spec.n, joined = first;
    (void)end;
    s->stages[0] = (struct opencl_stage){.radix = first, .joined = 1, .columns = width};
    for (uint32_t i = 0; i < count; i++) {
        rest[i].joined = joined;
        rest[i].twiddles_at = at;
        at += 2 * (rest[i].radix - 1) * joined;
        joined *= rest[i].radix;
        if (s->spec.n / rest[i].radix < width)
            return false;
    }
    s->stage_count = count + 1;
    s->tables_points = (at - s->spec.n) / 2;
    return count > 0 && s->spec.n / first >= width;
}

static int whole_plan(struct opencl_spectrum *s)
{
    struct opencl_choice *c = &s->choice;
    uint32_t width =
        c->columns ? c->columns : min_u32(max_u32(s->profile.vector_float, NARROWEST), WIDEST);
    c->max_radix = c->max_radix ? c->max_radix : BEST_RADIX;
    if (width < NARROWEST || width > WIDEST || c->max_radix > MAX_RADIX || c->max_radix < NARROWEST)
        return -ENOTSUP;
    /* Short frames use narrower vectors, until every pass has a full vector of columns. */
    while (!plan_stages(s, width, max_u32(width, min_u32(c->max_radix, 8)))) {
        width /= 2;
        if (width < NARROWEST)
            return -ENOTSUP;
    }
    c->columns = width;
    c->group = 1;
    opencl_choose_chunk(s, s->spec.density.columns > 0 ? s->spec.n * sizeof(float) : 0);
    s->groups = min_u32(max_u32(s->profile.units, 1), c->chunk_frames);
    s->middle_points = (size_t)2 * s->groups * s->spec.n;
    opencl_add_kernel(s, "frames");
    return 0;
}

static void whole_source(const struct opencl_spectrum *s, struct opencl_text *t)
{
    const uint32_t last = s->stage_count - 1;
    opencl_text_define(t, "REGISTERS", "RADIX");
    opencl_text_number(t, "WIDTH", s->choice.columns);
    opencl_text_define(t, "STAGE", s->kernels[0].name);
    opencl_text_file(t, "split");
    opencl_text_file(t, "codelets");
    opencl_text_file(t, "raw");
    opencl_text_file(t, "whole_begin");
    for (uint32_t i = 0; i <= last; i++) {
        opencl_stage_source(t, &s->stages[i],
                            i == 0      ? "whole_first"
                            : i == last ? "whole_last"
                                        : "whole_middle");
    }
}

/* Real and imaginary parts are separate: for each r, JOINED real parts, then the imaginary ones. */
static void whole_tables(const struct opencl_spectrum *s, struct fft_iq *tables)
{
    for (uint32_t i = 1; i < s->stage_count; i++) {
        const struct opencl_stage *stage = &s->stages[i];
        float *to = (float *)tables + stage->twiddles_at - s->spec.n;
        for (uint32_t r = 1; r < stage->radix; r++, to += (size_t)2 * stage->joined)
            opencl_fill_twiddle_parts(stage, r, to, to + stage->joined);
    }
}

static void whole_step(const struct opencl_spectrum *s, const struct opencl_chunk *c, uint32_t step,
                       struct opencl_launch *out)
{
    opencl_init_launch(out, step, c->groups, 1);
    opencl_add_buffer(out, OPENCL_SAMPLES);
    opencl_add_buffer(out, OPENCL_TABLES);
    opencl_add_buffer(out, OPENCL_SCRATCH);
    opencl_add_word(out, c->samples_at);
    opencl_add_word(out, s->spec.hop);
    opencl_add_detector_arguments(s, c, out);
    opencl_add_correction(s, out);
}

static uint32_t whole_steps(const struct opencl_spectrum *s)
{
    (void)s;
    return 1;
}

const struct opencl_strategy_ops opencl_strategy_whole = {
    .plan = whole_plan,
    .source = whole_source,
    .tables = whole_tables,
    .step = whole_step,
    .steps = whole_steps,
};
