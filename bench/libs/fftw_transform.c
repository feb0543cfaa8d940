/* fftw_transform.c - runs FFTW's transforms over a working set. */
#include "bench/libs/fftw_transform.h"

#include <errno.h>

#include "bench/threads.h"

enum { MAX_BATCH_POINTS = 32768 };

static void execute(const struct fftw_transform *t, size_t call)
{
    const struct fftw_api *api = &t->fftw->api;
    void *in = t->arrays.in + call * t->arrays.in_step,
         *out = t->arrays.out + call * t->arrays.out_step;
    if (t->test_case->plan.type == FFT_TRANSFORM_R2C)
        api->run_r2c(t->plan, in, out);
    else if (t->test_case->plan.type == FFT_TRANSFORM_C2R)
        api->run_c2r(t->plan, in, out);
    else
        api->run_c2c(t->plan, in, out);
}

static void run_part(void *user, uint32_t thread, uint32_t from, uint32_t to)
{
    const struct fftw_transform *t = user;
    (void)thread;
    for (uint32_t lap = 0; lap < t->test_case->laps; lap++)
        for (uint32_t call = from; call < to; call++)
            execute(t, call);
}

static int run(void *user)
{
    struct fftw_transform *t = user;
    return threads_run(t->test_case->threads, t->arrays.calls, run_part, t);
}

static int check(void *user, double *error)
{
    struct fftw_transform *t = user;
    transform_arrays_fill(&t->arrays, t->test_case, true);
    execute(t, 0);
    *error = transform_arrays_error(&t->arrays, t->test_case);
    transform_arrays_fill(&t->arrays, t->test_case, false);
    return 0;
}

void fftw_transform_finish(struct fftw_transform *t)
{
    if (t->plan)
        t->fftw->api.destroy(t->plan);
    t->plan = NULL;
    transform_arrays_finish(&t->arrays);
}

static fftw_plan make_plan(const struct fftw_transform *t)
{
    const struct transform_case *test_case = t->test_case;
    const struct fft_transform_config *p = &test_case->plan;
    const struct fftw_api *api = &t->fftw->api;
    const int rank = (int)p->rank, batch = (int)t->arrays.batch;
    const int real = (int)(test_case->points / p->n[rank - 1]),
              bins = (int)(p->n[rank - 1] / 2 + 1);
    const int half_distance = real * bins; /* rows of reals times the stored bins of each */
    const int real_distance = p->in_place ? 2 * half_distance : (int)test_case->points;
    const unsigned flags = t->fftw->effort;
    void *in = t->arrays.in, *out = t->arrays.out;
    int n[FFT_TRANSFORM_MAX_RANK];

    for (int axis = 0; axis < rank; axis++)
        n[axis] = (int)p->n[axis];
    /* Without `embed` arrays are packed, like the engine's; in-place reals are padded. */
    switch (p->type) {
    case FFT_TRANSFORM_R2C:
        return api->plan_r2c(rank, n, batch, in, NULL, 1, real_distance, out, NULL, 1,
                             half_distance, flags);
    case FFT_TRANSFORM_C2R:
        return api->plan_c2r(rank, n, batch, in, NULL, 1, half_distance, out, NULL, 1,
                             real_distance,
                             flags | (rank == 1 && !p->in_place ? FFTW_PRESERVE_INPUT : 0));
    default:
        return api->plan_c2c(rank, n, batch, in, NULL, 1, (int)test_case->points, out, NULL, 1,
                             (int)test_case->points,
                             p->type == FFT_TRANSFORM_INVERSE ? FFTW_BACKWARD : FFTW_FORWARD,
                             flags);
    }
}

/* Variants: batches of 1, 4, 16, ... rows. */
static int set_up(void *user, int variant)
{
    struct fftw_transform *t = user;
    const uint32_t batch = variant < 15 ? 1U << 2 * variant : UINT32_MAX;

    fftw_transform_finish(t);
    if (batch > 1 && (batch * t->test_case->points > MAX_BATCH_POINTS ||
                      t->test_case->rows / batch < t->test_case->threads))
        return -ERANGE;
    const int err = transform_arrays_init(&t->arrays, t->test_case, batch);
    if (err < 0)
        return err;
    t->plan = make_plan(t);
    transform_arrays_fill(&t->arrays, t->test_case, false);
    fftw_keep(t->fftw);
    return t->plan ? 0 : -EIO;
}

int fftw_transform_init(struct fftw_transform *t, struct fftw *f,
                        const struct transform_case *test_case)
{
    *t = (struct fftw_transform){.fftw = f, .test_case = test_case};
    return contest_choose(t, set_up, run, test_case->threads > 1);
}

struct contestant fftw_transform_contestant(struct fftw_transform *t)
{
    return (struct contestant){.name = t->fftw->name, .user = t, .run = run, .check = check};
}
