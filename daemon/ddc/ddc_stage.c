/* ddc_stage.c - the samples and the taps of a decimating filter. */
#include "daemon/ddc/ddc_stage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int ddc_stage_init_taps(struct ddc_stage *s, const double *tap, size_t length, uint32_t factor,
                        const struct ddc_loops *loops)
{
    *s = (struct ddc_stage){.loops = loops, .length = length};
    const size_t taps = (s->length + DDC_TAPS_STEP - 1) / DDC_TAPS_STEP * DDC_TAPS_STEP;
    s->capacity = DDC_STAGE_BLOCK + 4 * taps; /* the rest is moved to the front now and then */
    s->tap = calloc(taps, sizeof *s->tap);
    s->re = calloc(s->capacity + taps, sizeof *s->re);
    s->im = calloc(s->capacity + taps, sizeof *s->im);
    s->filter = (struct ddc_filter){.tap = s->tap, .taps = taps, .factor = factor};
    if (!s->tap || !s->re || !s->im)
        return -ENOMEM;
    for (size_t i = 0; i < s->length; i++)
        s->tap[i] = (float)tap[i];
    return 0;
}

int ddc_stage_init(struct ddc_stage *s, const struct ddc_stage_plan *plan,
                   const struct ddc_loops *loops)
{
    const size_t length = 2 * (size_t)plan->half + 1;
    double *exact = calloc(length, sizeof *exact);
    *s = (struct ddc_stage){0};
    if (!exact)
        return -ENOMEM;
    ddc_plan_taps(plan, exact);
    const int err = ddc_stage_init_taps(s, exact, length, plan->factor, loops);
    free(exact);
    return err;
}

void ddc_stage_finish(struct ddc_stage *s)
{
    free(s->tap);
    free(s->re);
    free(s->im);
    *s = (struct ddc_stage){0};
}

void ddc_stage_begin(struct ddc_stage *s)
{
    s->have = s->next = 0;
}

void ddc_stage_input(struct ddc_stage *s, float **re, float **im)
{
    if (s->have + DDC_STAGE_BLOCK > s->capacity) {
        const size_t keep = s->next < s->have ? s->have - s->next : 0;
        memmove(s->re, s->re + s->have - keep, keep * sizeof *s->re);
        memmove(s->im, s->im + s->have - keep, keep * sizeof *s->im);
        s->next -= s->have - keep;
        s->have = keep;
    }
    *re = s->re + s->have;
    *im = s->im + s->have;
}

size_t ddc_stage_outputs(const struct ddc_stage *s, size_t count)
{
    const size_t have = s->have + count, first = s->next + s->length;
    return have >= first ? (have - first) / s->filter.factor + 1 : 0;
}

size_t ddc_stage_run(struct ddc_stage *s, size_t count, float *re, float *im)
{
    const size_t outputs = ddc_stage_outputs(s, count);
    s->loops->filter(&s->filter, s->re + s->next, s->im + s->next, outputs, re, im);
    s->have += count;
    s->next += outputs * s->filter.factor;
    return outputs;
}
