/* transform.c - plain FFTs: rank 1 to 3 and real ones, composed of an engine's 1-D passes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fft/layout.h"
#include "fft/radix.h"
#include "fft/real.h"

/* Where a pass reads or writes. */
enum place { IN, OUT, WORK };

struct axis_pass {
    struct engine_pass pass;
    enum place from, to;
};

/*
 * forward, inverse   the last axis from in to out, then the others in place on out
 * r2c                the last axis, real, from in to out, then the others in place on out
 * c2r                the first axis from in to work, others in place on work, then the last axis,
 *                    real, from work to out; rank 1 has only that one. In place, work is in.
 *
 * So every pass but the first is in place, with strides, and needs no room of its own.
 */
struct transform {
    struct fft_engine *engine;
    struct transform_plan plan;
    struct side in, out, work_side;
    uint32_t passes;
    struct axis_pass pass[TRANSFORM_MAX_RANK];
    struct real real; /* r2c: runs first, c2r: runs last */
    struct iq *work;
};

static bool is_real(const struct transform *t)
{
    return t->in.real || t->out.real;
}

/* ---- making the passes ------------------------------------------------------------------ */

static int add_pass(struct transform *t, uint32_t axis, const struct side *from,
                    const struct side *to)
{
    const struct transform_layout *f = &from->layout, *o = &to->layout;
    struct axis_pass *a = &t->pass[t->passes++];
    uint32_t row = 0;

    a->from = from == &t->in ? IN : from == &t->out ? OUT : WORK;
    a->to = to == &t->in ? IN : to == &t->out ? OUT : WORK;
    a->pass = (struct engine_pass){
        .n = to->n[axis],
        .inverse = t->plan.type == TRANSFORM_INVERSE || t->plan.type == TRANSFORM_C2R,
        .from = f->stride[axis],
        .to = o->stride[axis],
        .rows = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}},
    };
    if (to->batch > 1)
        a->pass.rows[row++] = (struct engine_rows){to->batch, f->batch, o->batch};
    for (uint32_t i = 0; i < to->rank; i++)
        if (i != axis && to->n[i] > 1)
            a->pass.rows[row++] = (struct engine_rows){to->n[i], f->stride[i], o->stride[i]};

    const struct engine_ops *ops = t->engine->ops;
    a->pass.priv = calloc(1, ops->pass_size ? ops->pass_size : 1);
    return a->pass.priv ? ops->pass_init(t->engine, &a->pass) : -ENOMEM;
}

static int make_complex(struct transform *t)
{
    const struct side *from = &t->in;
    int err = 0;
    for (uint32_t axis = t->plan.rank; err == 0 && axis-- > 0; from = &t->out)
        err = add_pass(t, axis, from, &t->out);
    return err;
}

static int make_r2c(struct transform *t)
{
    int err = real_init(&t->real, t->engine, &t->in, &t->out);
    for (uint32_t axis = t->plan.rank - 1; err == 0 && axis-- > 0;)
        err = add_pass(t, axis, &t->out, &t->out);
    return err;
}

/* The spectrum between a c2r's complex and real axes, packed. */
static int take_work(struct transform *t)
{
    size_t points = 1;
    t->work_side = t->in;
    for (uint32_t axis = t->in.rank; axis-- > 0; points *= t->in.n[axis])
        t->work_side.layout.stride[axis] = points;
    t->work_side.layout.batch = points;
    t->work_side.bytes = points * t->in.batch * sizeof *t->work;
    t->work = malloc(t->work_side.bytes);
    return t->work ? 0 : -ENOMEM;
}

static int make_c2r(struct transform *t)
{
    const bool needs_work = t->plan.rank > 1 && !t->plan.in_place;
    const struct side *from = &t->in, *to = needs_work ? &t->work_side : &t->in;
    int err = needs_work ? take_work(t) : 0;
    for (uint32_t axis = 0; err == 0 && axis + 1 < t->plan.rank; axis++, from = to)
        err = add_pass(t, axis, from, to);
    return err ? err : real_init(&t->real, t->engine, to, &t->out);
}

static int make(struct transform *t)
{
    switch (t->plan.type) {
    case TRANSFORM_R2C:
        return make_r2c(t);
    case TRANSFORM_C2R:
        return make_c2r(t);
    default:
        return make_complex(t);
    }
}

/* ---- checks ----------------------------------------------------------------------------- */

static int check_lengths(const struct transform_plan *p, struct reason why)
{
    uint64_t points = 1;
    for (uint32_t axis = 0; axis < p->rank; axis++) {
        const uint32_t n = p->n[axis];
        if (!radix_is_smooth(n)) {
            reason_set(why, "length %u is not a product of 2, 3, 5 and 7", n);
            return -EINVAL;
        }
        points *= n;
        if (points > TRANSFORM_MAX_POINTS) {
            reason_set(why, "more than %d points in one transform", TRANSFORM_MAX_POINTS);
            return -EINVAL;
        }
    }
    return 0;
}

static int check_plan(const struct transform_plan *p, struct reason why)
{
    if ((unsigned)p->type >= TRANSFORM_TYPES) {
        reason_set(why, "no such type of transform");
        return -EINVAL;
    }
    if (p->rank < 1 || p->rank > TRANSFORM_MAX_RANK) {
        reason_set(why, "rank %u is not 1 .. 3", p->rank);
        return -EINVAL;
    }
    if (p->batch < 1) {
        reason_set(why, "a batch needs at least one transform");
        return -EINVAL;
    }
    return check_lengths(p, why);
}

/* ---- the user's side -------------------------------------------------------------------- */

int transform_create(struct transform **out, struct fft_engine *e,
                     const struct transform_plan *plan, char *why_text, size_t why_size)
{
    const struct reason why = {why_text, why_size};

    *out = NULL;
    reason_set(why, "%s", "");
    int err = check_plan(plan, why);
    if (err < 0)
        return err;
    if (!e->ops->pass_run) {
        reason_set(why, "engine %s has no transforms", e->ops->name);
        return -ENOTSUP;
    }
    struct transform *t = calloc(1, sizeof *t);
    if (!t)
        return -ENOMEM;
    t->engine = e;
    t->plan = *plan;
    err = layout_sides(plan, &t->in, &t->out, why);
    if (err == 0) {
        err = make(t);
        if (err < 0)
            reason_set(why, "%s: transform: %s", e->ops->name, strerror(-err));
    }
    if (err < 0)
        transform_destroy(t);
    else
        *out = t;
    return err;
}

void transform_destroy(struct transform *t)
{
    if (!t)
        return;
    for (uint32_t i = 0; i < t->passes; i++) {
        if (t->pass[i].pass.priv)
            t->engine->ops->pass_finish(&t->pass[i].pass);
        free(t->pass[i].pass.priv);
    }
    real_finish(&t->real);
    free(t->work);
    free(t);
}

static bool usable(const struct transform *t, const void *in, const void *out)
{
    const uintptr_t from = (uintptr_t)in, to = (uintptr_t)out;
    if (from % sizeof(float) != 0 || to % sizeof(float) != 0 || !in || !out)
        return false;
    if (t->plan.in_place)
        return in == out;
    return from + t->in.bytes <= to || to + t->out.bytes <= from;
}

static int run_passes(struct transform *t, const struct iq *in, struct iq *out)
{
    int err = 0;
    for (uint32_t i = 0; err == 0 && i < t->passes; i++) {
        const struct axis_pass *a = &t->pass[i];
        const struct iq *from = a->from == IN ? in : a->from == OUT ? out : t->work;
        /* A plan in place may write what it was given; only then is `to` its input. */
        struct iq *to = a->to == WORK ? t->work : out;
        err = t->engine->ops->pass_run(t->engine, &a->pass, from, to);
    }
    return err;
}

int transform_execute(struct transform *t, const void *in, void *out)
{
    if (!usable(t, in, out))
        return -EINVAL;
    if (!is_real(t))
        return run_passes(t, in, out);
    if (t->plan.type == TRANSFORM_R2C) {
        const int err = real_run(&t->real, in, out);
        return err ? err : run_passes(t, in, out);
    }
    const int err = run_passes(t, in, out);
    return err ? err : real_run(&t->real, t->work ? t->work : in, out);
}
