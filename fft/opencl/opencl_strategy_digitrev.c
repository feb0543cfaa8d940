/* opencl_strategy_digitrev.c - reverses digits on load and runs later passes in place: the stages
 * of opencl_strategy_passes.c on one buffer. */
#include "fft/opencl/opencl_strategy.h"

/* The offset of the first pass's order in the tables, in points. It follows the twiddles. */
static uint32_t order_at(const struct opencl_spectrum *s)
{
    return s->spec.n / 2 + s->tables_points - s->spec.n / s->stages[0].radix / 2;
}

static int digitrev_plan(struct opencl_spectrum *s)
{
    const int err = opencl_strategy_passes.plan(s);
    if (err < 0)
        return err;
    s->middle_points /= 2;
    s->tables_points += s->spec.n / s->stages[0].radix / 2;
    return 0;
}

static void digitrev_source(const struct opencl_spectrum *s, struct opencl_text *t)
{
    const uint32_t last = s->stage_count - 1;
    opencl_text_define(t, "REGISTERS", "RADIX");
    opencl_text_define(t, "LENGTH", "POINTS");
    opencl_text_number(t, "ORDER", 2 * (uint64_t)order_at(s));
    opencl_passes_source(s, t);
    for (uint32_t i = 0; i <= last; i++) {
        opencl_text_number(t, "COLUMNS", i == 0 ? 1 : s->choice.columns);
        opencl_text_define(t, "STAGE", s->kernels[i].name);
        opencl_stage_source(t, &s->stages[i],
                            i == 0      ? "digitrev_first"
                            : i == last ? "spectrum_last"
                                        : "digitrev_middle");
    }
}

/* The first sample of butterfly i in the first pass: the digits of i in the later radices,
 * reversed. */
static uint32_t reversed(const struct opencl_spectrum *s, uint32_t i)
{
    uint32_t weight = s->spec.n / s->stages[0].radix, at = 0;
    for (uint32_t stage = 1; stage < s->stage_count; stage++) {
        const uint32_t radix = s->stages[stage].radix;
        weight /= radix;
        at += i % radix * weight;
        i /= radix;
    }
    return at;
}

static void digitrev_tables(const struct opencl_spectrum *s, struct fft_iq *tables)
{
    uint32_t *order = (uint32_t *)(void *)(tables + order_at(s) - s->spec.n / 2);
    opencl_fill_twiddle_tables(s, tables);
    for (uint32_t i = 0; i < s->spec.n / s->stages[0].radix; i++)
        order[i] = reversed(s, i);
}

static void digitrev_step(const struct opencl_spectrum *s, const struct opencl_chunk *c,
                          uint32_t step, struct opencl_launch *out)
{
    const bool is_last = step == s->stage_count - 1;
    const uint32_t columns = step == 0 ? 1 : s->choice.columns;
    const uint64_t items = s->spec.n / s->stages[step].radix / columns;
    opencl_init_launch(out, step, items * (is_last ? c->groups : c->frames), s->choice.group);
    if (step == 0) {
        opencl_add_buffer(out, OPENCL_SAMPLES);
        opencl_add_buffer(out, OPENCL_TABLES);
        opencl_add_buffer(out, OPENCL_TABLES);
        opencl_add_buffer(out, OPENCL_SCRATCH);
        opencl_add_word(out, c->samples_at);
        opencl_add_word(out, s->spec.hop);
        opencl_add_word(out, c->frames);
        opencl_add_correction(s, out);
        return;
    }
    opencl_add_buffer(out, OPENCL_SCRATCH);
    opencl_add_buffer(out, OPENCL_TABLES);
    if (is_last) {
        opencl_add_word(out, 0);
        opencl_add_detector_arguments(s, c, out);
    } else {
        opencl_add_word(out, c->frames);
    }
}

static uint32_t digitrev_steps(const struct opencl_spectrum *s)
{
    return s->stage_count;
}

const struct opencl_strategy_ops opencl_strategy_digitrev = {
    .plan = digitrev_plan,
    .source = digitrev_source,
    .tables = digitrev_tables,
    .step = digitrev_step,
    .computes_twiddles = true,
    .stores_half = true,
    .steps = digitrev_steps,
};
