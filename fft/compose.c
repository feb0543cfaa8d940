/* compose.c - the order of the axes, and the source and destination of each pass. */
#include "fft/compose.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* ---- one pass --------------------------------------------------------------------------- */

/* joins: the axis before this one, too. */
static struct engine_pass describe(struct fft_engine *e, const struct fft_transform_config *config,
                                   uint32_t axis, bool joins, const struct side *from,
                                   const struct side *to)
{
    struct engine_pass p = {
        .engine = e,
        .kind = from->real ? PASS_R2C
                : to->real ? PASS_C2R
                           : PASS_COMPLEX,
        .n = from->real ? from->n[axis] : to->n[axis],
        .inverse = config->type == FFT_TRANSFORM_INVERSE || config->type == FFT_TRANSFORM_C2R,
        .from = from->layout.stride[axis],
        .to = to->layout.stride[axis],
        .rows = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}},
    };
    uint32_t row = 0;
    if (joins)
        p.next = (struct engine_rows){to->n[axis - 1], from->layout.stride[axis - 1],
                                      to->layout.stride[axis - 1]};
    if (to->batch > 1)
        p.rows[row++] = (struct engine_rows){to->batch, from->layout.batch, to->layout.batch};
    for (uint32_t i = 0; i < to->rank; i++)
        if (i != axis && (!joins || i != axis - 1) && to->n[i] > 1)
            p.rows[row++] =
                (struct engine_rows){to->n[i], from->layout.stride[i], to->layout.stride[i]};
    return p;
}

static float scale_of(const struct fft_transform_config *config)
{
    double n = 1;
    for (uint32_t axis = 0; axis < config->rank; axis++)
        n *= config->n[axis];
    return config->scale == FFT_TRANSFORM_BY_N        ? (float)(1 / n)
           : config->scale == FFT_TRANSFORM_BY_ROOT_N ? (float)(1 / sqrt(n))
                                                      : 1;
}

static int init_step(struct step *s, struct fft_reason why)
{
    const struct engine_ops *ops = s->pass.engine->ops;

    if (s->pass.kind != PASS_COMPLEX && !ops->real_passes) {
        s->shared = true;
        return fft_real_init(&s->real, &s->pass, why);
    }
    s->pass.priv = calloc(1, ops->pass_size ? ops->pass_size : 1);
    return s->pass.priv ? ops->pass_init(&s->pass, why) : -ENOMEM;
}

/* ---- the chain -------------------------------------------------------------------------- */

/* The array between pass `i` of several, over axis `done`, and the pass over axis `next`. */
static struct stage between(const struct fft_engine *e, const struct fft_transform_config *config,
                            const struct stage *in, const struct stage *out, uint32_t done,
                            uint32_t next)
{
    const bool to_real = config->type == FFT_TRANSFORM_C2R;
    const struct side *shape = to_real ? &in->side : &out->side;
    const uint32_t last = config->rank - 1;

    if (e->ops->prefers_rotate) {
        const uint32_t number = to_real ? done : last - done; /* of the pass */
        return (struct stage){PLACE_WORK + number, fft_layout_between(shape, done, next)};
    }
    if (!to_real)
        return *out;
    return config->in_place ? *in : (struct stage){PLACE_WORK, fft_layout_between(shape, 0, last)};
}

static int take_work(struct chain *c, struct fft_engine *e, const struct stage *s)
{
    if (s->place < PLACE_WORK || c->work[s->place - PLACE_WORK])
        return 0;
    return fft_buffer_create(&c->work[s->place - PLACE_WORK], e, s->side.bytes);
}

/* A strided chain keeps the layout of `out` from its first pass on. */
static bool joins_axes(struct fft_engine *e, const struct fft_transform_config *config,
                       const struct side *in, const struct side *out)
{
    const bool real = config->type == FFT_TRANSFORM_R2C || config->type == FFT_TRANSFORM_C2R;
    if (real || config->rank < 2 || e->ops->prefers_rotate || !e->ops->pass_joins)
        return false;
    const struct engine_pass p = describe(e, config, config->rank - 1, true, in, out);
    return p.next.count > 1 && e->ops->pass_joins(&p);
}

int fft_chain_init(struct chain *c, struct fft_engine *e, const struct fft_transform_config *config,
                   const struct side *in, const struct side *out, struct fft_reason why)
{
    const struct stage first = {PLACE_IN, *in}, end = {PLACE_OUT, *out};
    const bool to_real = config->type == FFT_TRANSFORM_C2R;
    bool joins = joins_axes(e, config, in, out);
    struct stage from = first;
    int err = 0;

    *c = (struct chain){0};
    for (uint32_t i = 0, done; err == 0 && i < config->rank; i = done, joins = false) {
        const uint32_t axis = to_real ? i : config->rank - 1 - i;
        done = i + 1 + joins;
        const struct stage to = done == config->rank ? end
                                                     : between(e, config, &first, &end, axis,
                                                               to_real ? axis + 1 : axis - 1);
        struct step *s = &c->step[c->count++];
        s->pass = describe(e, config, axis, joins, &from.side, &to.side);
        s->pass.scale = done == config->rank ? scale_of(config) : 1;
        s->from = from.place;
        s->to = to.place;
        err = take_work(c, e, &to);
        if (err == 0)
            err = init_step(s, why);
        from = to;
    }
    return err;
}

void fft_chain_finish(struct chain *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        struct step *s = &c->step[i];
        if (s->shared)
            fft_real_finish(&s->real);
        if (s->pass.priv)
            s->pass.engine->ops->pass_finish(&s->pass);
        free(s->pass.priv);
    }
    for (uint32_t i = 0; i < WORK_BLOCKS; i++)
        fft_buffer_destroy(c->work[i]);
}

int fft_chain_run(struct chain *c, struct fft_buffer *in, struct fft_buffer *out)
{
    struct fft_buffer *places[] = {in, out, c->work[0], c->work[1]};
    int err = 0;
    for (uint32_t i = 0; err == 0 && i < c->count; i++) {
        struct step *s = &c->step[i];
        struct fft_buffer *from = places[s->from], *to = places[s->to];
        err = s->shared ? fft_real_run(&s->real, from, to)
                        : s->pass.engine->ops->pass_run(&s->pass, from, to);
    }
    return err;
}
