/* engine_transform.c - runs the library's transforms over a working set. */
#include "bench/engine_transform.h"

#include <errno.h>

static int run(void *user)
{
    struct engine_transform *o = user;
    const struct transform_arrays *a = &o->arrays;
    int err = 0;
    for (uint32_t lap = 0; lap < o->test_case->laps; lap++)
        for (size_t call = 0; err == 0 && call < a->calls; call++)
            err = fft_transform_execute(o->transform, a->in + call * a->in_step,
                                        a->out + call * a->out_step);
    return err;
}

static int check(void *user, double *error)
{
    struct engine_transform *o = user;
    transform_arrays_fill(&o->arrays, o->test_case, true);
    const int err = fft_transform_execute(o->transform, o->arrays.in, o->arrays.out);
    if (err == 0)
        *error = transform_arrays_error(&o->arrays, o->test_case);
    transform_arrays_fill(&o->arrays, o->test_case, false);
    return err;
}

void engine_transform_finish(struct engine_transform *o)
{
    fft_transform_destroy(o->transform);
    o->transform = NULL;
    transform_arrays_finish(&o->arrays);
}

static int set_up(void *user, int variant)
{
    struct engine_transform *o = user;
    struct fft_transform_config plan = o->test_case->plan;

    engine_transform_finish(o);
    plan.batch = variant == 0 ? 1 : o->test_case->rows;
    if (variant > 1 || (variant == 1 && plan.batch == 1))
        return -ERANGE;
    int err = transform_arrays_init(&o->arrays, o->test_case, plan.batch);
    if (err == 0)
        err = fft_transform_create(&o->transform, o->engine, &plan, o->why, o->size);
    if (err == 0)
        transform_arrays_fill(&o->arrays, o->test_case, false);
    return err;
}

int engine_transform_init(struct engine_transform *o, struct fft_engine *engine,
                          const struct transform_case *test_case, char *why, size_t size)
{
    *o = (struct engine_transform){
        .engine = engine, .test_case = test_case, .why = why, .size = size};
    return contest_choose(o, set_up, run, test_case->threads > 1);
}

struct contestant engine_transform_contestant(struct engine_transform *o)
{
    return (struct contestant){
        .name = fft_engine_name(o->engine), .user = o, .run = run, .check = check};
}
