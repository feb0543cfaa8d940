/* engine_transform.c - the library's transforms over a working set. */
#include "bench/engine_transform.h"

#include <errno.h>

static int run(void *user)
{
    struct ours_transform *o = user;
    const struct arena *a = &o->arena;
    int err = 0;
    for (uint32_t lap = 0; lap < o->job->laps; lap++)
        for (size_t call = 0; err == 0 && call < a->calls; call++)
            err = fft_transform_execute(o->transform, a->in + call * a->in_step,
                                        a->out + call * a->out_step);
    return err;
}

static int check(void *user, double *error)
{
    struct ours_transform *o = user;
    arena_fill(&o->arena, o->job, true);
    const int err = fft_transform_execute(o->transform, o->arena.in, o->arena.out);
    if (err == 0)
        *error = arena_error(&o->arena, o->job);
    arena_fill(&o->arena, o->job, false);
    return err;
}

void ours_transform_finish(struct ours_transform *o)
{
    fft_transform_destroy(o->transform);
    o->transform = NULL;
    arena_finish(&o->arena);
}

static int set_up(void *user, int way)
{
    struct ours_transform *o = user;
    struct fft_transform_plan plan = o->job->plan;

    ours_transform_finish(o);
    plan.batch = way == 0 ? 1 : o->job->rows;
    if (way > 1 || (way == 1 && plan.batch == 1))
        return -ERANGE;
    int err = arena_init(&o->arena, o->job, plan.batch);
    if (err == 0)
        err = fft_transform_create(&o->transform, o->engine, &plan, o->why, o->size);
    if (err == 0)
        arena_fill(&o->arena, o->job, false);
    return err;
}

int ours_transform_init(struct ours_transform *o, struct fft_engine *engine,
                        const struct transform_job *job, char *why, size_t size)
{
    *o = (struct ours_transform){.engine = engine, .job = job, .why = why, .size = size};
    return contest_choose(o, set_up, run, job->threads > 1);
}

struct contestant ours_transform_contestant(struct ours_transform *o)
{
    return (struct contestant){
        .name = fft_engine_name(o->engine), .user = o, .run = run, .check = check};
}
