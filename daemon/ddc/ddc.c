/* ddc.c - divides the samples of a down-converter between threads, and runs the stages after the
 * first. */
#include "daemon/ddc/ddc.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/ddc/ddc_front.h"
#include "daemon/ddc/ddc_workers.h"

/* Samples of one worker, at least: less costs more to share than to compute. */
enum { PART = 1 << 15 };

/* What a worker does of a push. */
struct part {
    struct ddc_input in;
    size_t output;         /* place of its first output */
    size_t taken, outputs; /* what became of it */
};

struct ddc {
    struct ddc_plan plan;
    size_t block;
    struct ddc_shift shift;
    struct ddc_workers *workers;
    struct ddc_front *front[DDC_WORKERS]; /* the first has the samples of earlier pushes */
    struct ddc_stage stage[DDC_STAGES];   /* from the second on */
    float *re, *im;                       /* of the fronts */
    float *stage_re, *stage_im;           /* [DDC_STAGE_BLOCK]: of a stage */
    struct fft_iq *out;
    /* the push that is going on */
    uint64_t number; /* of its first sample */
    struct part part[DDC_WORKERS];
};

/* ---- life ------------------------------------------------------------------------------- */

static int create_front(struct ddc *c, unsigned i, enum fft_iq_format format)
{
    const struct ddc_stage_plan *first = c->plan.stages > 0 ? &c->plan.stage[0] : NULL;
    c->front[i] = calloc(1, sizeof *c->front[i]);
    return c->front[i] ? ddc_front_init(c->front[i], first, &c->shift, format, ddc_loops_at(0))
                       : -ENOMEM;
}

static int create_buffers(struct ddc *c)
{
    size_t most = c->block;
    if (c->plan.stages > 0)
        most = most / c->plan.stage[0].factor + 1;
    c->re = calloc(most, sizeof *c->re);
    c->im = calloc(most, sizeof *c->im);
    for (uint32_t i = 1; i < c->plan.stages; i++)
        most = most / c->plan.stage[i].factor + 1;
    c->out = calloc(most, sizeof *c->out);
    c->stage_re = calloc(DDC_STAGE_BLOCK, sizeof *c->stage_re);
    c->stage_im = calloc(DDC_STAGE_BLOCK, sizeof *c->stage_im);
    return c->re && c->im && c->out && c->stage_re && c->stage_im ? 0 : -ENOMEM;
}

int ddc_create(struct ddc **out, const struct ddc_plan *plan, enum fft_iq_format format,
               unsigned workers, size_t block)
{
    struct ddc *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return -ENOMEM;
    c->plan = *plan;
    c->block = block;
    workers = workers < DDC_WORKERS ? workers : DDC_WORKERS;
    int err = ddc_workers_create(&c->workers, workers > 0 ? workers : 1);
    if (err == 0)
        err = create_buffers(c);
    for (unsigned i = 0; err == 0 && i < ddc_workers_count(c->workers); i++)
        err = create_front(c, i, format);
    for (uint32_t i = 1; i < plan->stages && err == 0; i++)
        err = ddc_stage_init(&c->stage[i], &plan->stage[i], ddc_loops_at(0));
    if (err < 0) {
        ddc_destroy(c);
        return err;
    }
    *out = c;
    return 0;
}

void ddc_destroy(struct ddc *c)
{
    if (!c)
        return;
    ddc_workers_destroy(c->workers);
    for (unsigned i = 0; i < DDC_WORKERS && c->front[i]; i++) {
        ddc_front_finish(c->front[i]);
        free(c->front[i]);
    }
    for (unsigned i = 1; i < DDC_STAGES; i++)
        ddc_stage_finish(&c->stage[i]);
    free(c->re);
    free(c->im);
    free(c->stage_re);
    free(c->stage_im);
    free(c->out);
    free(c);
}

/* ---- the fronts ------------------------------------------------------------------------- */

/*
 * Divides the outputs of a push. A part has all samples of its outputs: neighbours share those
 * under both filters. The first part also has the samples of earlier pushes, and the last one those
 * of later outputs. Returns the number of parts.
 */
static unsigned divide(struct ddc *c, const struct ddc_input *in)
{
    const size_t count = in->count;
    const struct ddc_front *f = c->front[0];
    const size_t outputs = ddc_front_outputs(f, count);
    const size_t factor = f->filters ? f->stage.filter.factor : 1;
    const size_t length = f->filters ? f->stage.length : 1;
    const size_t before = f->filters ? f->stage.have : 0, next = f->filters ? f->stage.next : 0;
    unsigned parts = ddc_workers_count(c->workers);
    while (parts > 1 &&
           (count / parts < PART || outputs < parts || next + outputs / parts * factor < before))
        parts--;
    for (unsigned i = 0; i < parts; i++) {
        const size_t first = outputs * i / parts, end = outputs * (i + 1) / parts;
        const size_t from = i > 0 ? next + first * factor - before : 0;
        const size_t to = i + 1 < parts ? next + (end - 1) * factor + length - before : count;
        c->part[i] = (struct part){.in = *in, .output = first};
        c->part[i].in.at = from;
        c->part[i].in.count = to - from;
    }
    return parts;
}

static void run_part(void *arg, unsigned i)
{
    struct ddc *c = arg;
    struct part *p = &c->part[i];
    if (i > 0)
        ddc_front_begin(c->front[i], c->number + p->in.at);
    p->outputs =
        ddc_front_push(c->front[i], &p->in, c->re + p->output, c->im + p->output, &p->taken);
}

/* The part that has the samples of the next outputs: the last one, or the first that lacks some. */
static unsigned find_last(const struct ddc *c, unsigned parts)
{
    unsigned i = 0;
    while (i + 1 < parts && c->part[i].taken == c->part[i].in.count)
        i++;
    return i;
}

static size_t run_fronts(struct ddc *c, const struct ddc_input *in, size_t *taken)
{
    const unsigned parts = divide(c, in);
    c->number = c->front[0]->number;
    ddc_workers_run(c->workers, run_part, c, parts);
    const unsigned last = find_last(c, parts);
    struct ddc_front *front = c->front[last];
    c->front[last] = c->front[0];
    c->front[0] = front;
    *taken = c->part[last].in.at + c->part[last].taken;
    return c->part[last].output + c->part[last].outputs;
}

/* ---- the stages after the first --------------------------------------------------------- */

static size_t run_stages(struct ddc *c, const float *re, const float *im, size_t count,
                         struct fft_iq *out)
{
    for (uint32_t i = 1; i < c->plan.stages; i++) {
        float *input_re, *input_im;
        ddc_stage_input(&c->stage[i], &input_re, &input_im);
        memcpy(input_re, re, count * sizeof *re);
        memcpy(input_im, im, count * sizeof *im);
        count = ddc_stage_run(&c->stage[i], count, c->stage_re, c->stage_im);
        re = c->stage_re;
        im = c->stage_im;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = (struct fft_iq){re[i], im[i]};
    return count;
}

static size_t run(struct ddc *c, const struct ddc_input *in, size_t *taken,
                  const struct fft_iq **out)
{
    assert(in->count <= c->block);
    const size_t front = run_fronts(c, in, taken);
    size_t outputs = 0;
    for (size_t done = 0, now; done < front; done += now) {
        now = front - done < DDC_STAGE_BLOCK ? front - done : DDC_STAGE_BLOCK;
        outputs += run_stages(c, c->re + done, c->im + done, now, c->out + outputs);
    }
    *out = c->out;
    return outputs;
}

size_t ddc_push(struct ddc *c, const void *raw, size_t count, const struct fft_iq **out)
{
    size_t taken;
    return run(c, &(struct ddc_input){.raw = raw, .count = count}, &taken, out);
}

size_t ddc_pull(struct ddc *c, const struct ddc_reader *reader, size_t count, size_t *taken,
                const struct fft_iq **out)
{
    return run(c, &(struct ddc_input){.reader = reader, .count = count}, taken, out);
}

void ddc_begin(struct ddc *c, uint64_t number, uint64_t first, double shift_hz, double scale)
{
    const struct fft_iq *none;
    assert(number <= first && first - number <= c->plan.reach);
    uint64_t rest = c->plan.reach - (first - number);
    ddc_shift_init(&c->shift, shift_hz, c->plan.rate_hz, scale);
    ddc_front_begin(c->front[0], number - rest);
    for (uint32_t i = 1; i < c->plan.stages; i++)
        ddc_stage_begin(&c->stage[i]);
    for (size_t now; rest > 0; rest -= now) {
        now = rest < c->block ? (size_t)rest : c->block;
        ddc_push(c, NULL, now, &none);
    }
}
