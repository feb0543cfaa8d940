/* fftw_transform.c - FFTW's transforms over a working set. */
#include "bench/libs/fftw_transform.h"

#include <errno.h>

#include "bench/threads.h"

enum { MAX_BATCH_POINTS = 32768 };

static void execute(const struct fftw_transform *t, size_t call)
{
    const struct fftw_api *api = &t->fftw->api;
    void *in = t->arena.in + call * t->arena.in_step,
         *out = t->arena.out + call * t->arena.out_step;
    if (t->job->plan.type == FFT_TRANSFORM_R2C)
        api->run_r2c(t->plan, in, out);
    else if (t->job->plan.type == FFT_TRANSFORM_C2R)
        api->run_c2r(t->plan, in, out);
    else
        api->run_c2c(t->plan, in, out);
}

static void run_part(void *user, uint32_t thread, uint32_t from, uint32_t to)
{
    const struct fftw_transform *t = user;
    (void)thread;
    for (uint32_t lap = 0; lap < t->job->laps; lap++)
        for (uint32_t call = from; call < to; call++)
            execute(t, call);
}

static int run(void *user)
{
    struct fftw_transform *t = user;
    return team_run(t->job->threads, t->arena.calls, run_part, t);
}

static int check(void *user, double *error)
{
    struct fftw_transform *t = user;
    arena_fill(&t->arena, t->job, true);
    execute(t, 0);
    *error = arena_error(&t->arena, t->job);
    arena_fill(&t->arena, t->job, false);
    return 0;
}

void fftw_transform_finish(struct fftw_transform *t)
{
    if (t->plan)
        t->fftw->api.destroy(t->plan);
    t->plan = NULL;
    arena_finish(&t->arena);
}

static fftw_plan make_plan(const struct fftw_transform *t)
{
    const struct transform_job *job = t->job;
    const struct fft_transform_plan *p = &job->plan;
    const struct fftw_api *api = &t->fftw->api;
    const int rank = (int)p->rank, batch = (int)t->arena.batch;
    const int real = (int)(job->points / p->n[rank - 1]), bins = (int)(p->n[rank - 1] / 2 + 1);
    const int half_distance = real * bins; /* rows of reals, times what is stored of each */
    const int real_distance = p->in_place ? 2 * half_distance : (int)job->points;
    const unsigned flags = t->fftw->effort;
    void *in = t->arena.in, *out = t->arena.out;
    int n[FFT_TRANSFORM_MAX_RANK];

    for (int axis = 0; axis < rank; axis++)
        n[axis] = (int)p->n[axis];
    /* Without lengths of their own the arrays are packed, as ours are; in place reals are padded.
     */
    switch (p->type) {
    case FFT_TRANSFORM_R2C:
        return api->plan_r2c(rank, n, batch, in, NULL, 1, real_distance, out, NULL, 1,
                             half_distance, flags);
    case FFT_TRANSFORM_C2R:
        return api->plan_c2r(rank, n, batch, in, NULL, 1, half_distance, out, NULL, 1,
                             real_distance,
                             flags | (rank == 1 && !p->in_place ? FFTW_PRESERVE_INPUT : 0));
    default:
        return api->plan_c2c(
            rank, n, batch, in, NULL, 1, (int)job->points, out, NULL, 1, (int)job->points,
            p->type == FFT_TRANSFORM_INVERSE ? FFTW_BACKWARD : FFTW_FORWARD, flags);
    }
}

/* Batches of 1, 4, 16, ... rows. */
static int set_up(void *user, int way)
{
    struct fftw_transform *t = user;
    const uint32_t batch = way < 15 ? 1U << 2 * way : UINT32_MAX;

    fftw_transform_finish(t);
    if (batch > 1 &&
        (batch * t->job->points > MAX_BATCH_POINTS || t->job->rows / batch < t->job->threads))
        return -ERANGE;
    const int err = arena_init(&t->arena, t->job, batch);
    if (err < 0)
        return err;
    t->plan = make_plan(t);
    arena_fill(&t->arena, t->job, false);
    fftw_keep(t->fftw);
    return t->plan ? 0 : -EIO;
}

int fftw_transform_init(struct fftw_transform *t, struct fftw *f, const struct transform_job *job)
{
    *t = (struct fftw_transform){.fftw = f, .job = job};
    return contest_choose(t, set_up, run, job->threads > 1);
}

struct contestant fftw_transform_contestant(struct fftw_transform *t)
{
    return (struct contestant){.name = t->fftw->name, .user = t, .run = run, .check = check};
}
