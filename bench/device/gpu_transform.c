/*
 * gpu_transform.c - measures plain transforms of the cuda engine on arrays in device memory, alone
 * or against cuFFT. The bound is the time to copy the arrays.
 */
#include "bench/device/gpu_transform.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/transform_case.h"

enum { MEMORY_POINTS = 1 << 27, CACHE_POINTS = 1 << 20, QUICK_POINTS = 1 << 12 };

/* Both contestants use the same two arrays. */
struct arrays {
    struct bench *b;
    const struct transform_case *test_case;
    struct fft_transform_config plan; /* the case's plan with a batch */
    struct fft_buffer *in, *out;
    struct fft_transform *transform;
};

static int fill(const struct arrays *a, bool first)
{
    const struct transform_case *test_case = a->test_case;
    const size_t in = (size_t)a->plan.batch * test_case->in_bytes;
    const size_t out = (size_t)a->plan.batch * test_case->out_bytes;
    static const float poison[2] = {NAN, NAN};
    float *zeros = calloc(1, test_case->in_bytes);
    if (!zeros)
        return -ENOMEM;
    /* In place the output of one run is the input of the next, and would grow without bound. */
    const bool data = first || !a->plan.in_place;
    int err = gpu_fill(a->b->gpu, gpu_address(a->in), in, data ? test_case->in : zeros,
                       test_case->in_bytes);
    if (err == 0 && !a->plan.in_place)
        err = gpu_fill(a->b->gpu, gpu_address(a->out), out, poison, sizeof poison);
    free(zeros);
    return err;
}

/* Computes the larger error of the first and the last transform. */
static int errors(const struct arrays *a, double *error)
{
    const size_t bytes = a->test_case->out_bytes;
    const uint64_t from = gpu_address(a->out), last = (a->plan.batch - 1) * (uint64_t)bytes;
    float *got = malloc(bytes);
    int err = got ? gpu_read(a->b->gpu, got, from, bytes) : -ENOMEM;
    if (err == 0) {
        *error = transform_case_error(a->test_case, got);
        err = gpu_read(a->b->gpu, got, from + last, bytes);
    }
    if (err == 0)
        *error = fmax(*error, transform_case_error(a->test_case, got));
    free(got);
    return err;
}

static int engine_enqueue(void *user)
{
    const struct arrays *a = user;
    return fft_transform_execute_buffers(a->transform, a->in, a->out);
}

static int engine_finish(void *user)
{
    const struct arrays *a = user;
    return fft_engine_wait(a->b->engine);
}

static int cufft_enqueue(void *user)
{
    const struct arrays *a = user;
    return cufft_run(a->b->cufft, gpu_address(a->in), gpu_address(a->out));
}

static int copy_enqueue(void *user)
{
    const struct arrays *a = user;
    const size_t each = a->test_case->in_bytes < a->test_case->out_bytes ? a->test_case->in_bytes
                                                                         : a->test_case->out_bytes;
    const size_t bytes = (size_t)a->plan.batch * each;
    /* In place: copies one half to the other. */
    if (a->plan.in_place)
        return gpu_copy(a->b->gpu, gpu_address(a->out) + bytes / 2, gpu_address(a->in), bytes / 2);
    return gpu_copy(a->b->gpu, gpu_address(a->out), gpu_address(a->in), bytes);
}

static int gpu_finish(void *user)
{
    const struct arrays *a = user;
    return gpu_wait(a->b->gpu);
}

static int check(struct arrays *a, const struct gpu_contestant *c, double *error)
{
    int err = fill(a, true);
    if (err == 0)
        err = c->enqueue(a);
    if (err == 0)
        err = c->finish(a);
    return err ? err : errors(a, error);
}

/* engine, cuFFT if it is wanted, copy */
static void report(const struct arrays *a, const struct gpu_contestant *all, int count,
                   const double *error)
{
    const double engine = all[0].seconds, ref = all[1].seconds, copy = all[count - 1].seconds;
    struct bench *b = a->b;
    const double points = 1e-6 * (double)a->test_case->points * a->plan.batch;
    const struct fft_transform_config *p = &a->plan;
    char detail[160];
    snprintf(
        detail, sizeof detail, "\"scale\":\"%s\",\"in_place\":%s,\"batch\":%u,\"device\":\"%s\",",
        options_scale_name(p->scale), p->in_place ? "true" : "false", p->batch, gpu_name(b->gpu));
    const struct row row = {.shape = {p->rank, {p->n[0], p->n[1], p->n[2]}},
                            .threads = 1,
                            .engine = fft_engine_name(b->engine),
                            .what = options_type_name(p->type),
                            .format = p->type == FFT_TRANSFORM_R2C ? "f32" : "cf32",
                            .detail = detail,
                            .msps = points / engine,
                            .error = error[0],
                            .bound_msps = points / copy * (p->in_place ? 0.5 : 1),
                            .ref = b->cufft ? cufft_name(b->cufft) : NULL,
                            .ref_msps = b->cufft ? points / ref : 0,
                            .ref_error = error[1]};
    report_row(&b->report, &row);
}

static int run_contest(struct arrays *a)
{
    struct bench *b = a->b;
    struct gpu_contestant all[GPU_CONTESTANTS] = {{engine_enqueue, engine_finish, 0}};
    double error[2] = {0};
    int count = 1;
    char why[200] = "";
    int err = fft_buffer_create(&a->in, b->engine, a->plan.batch * a->test_case->in_bytes);
    if (err == 0 && !a->plan.in_place)
        err = fft_buffer_create(&a->out, b->engine, a->plan.batch * a->test_case->out_bytes);
    a->out = a->plan.in_place ? a->in : a->out;
    if (err == 0)
        err = fft_transform_create(&a->transform, b->engine, &a->plan, why, sizeof why);
    if (err == 0)
        err = check(a, &all[0], &error[0]);
    if (err == 0 && b->cufft) {
        all[count++] = (struct gpu_contestant){cufft_enqueue, gpu_finish, 0};
        err = cufft_plan(b->cufft, &a->plan);
        if (err == 0)
            err = check(a, &all[1], &error[1]);
    }
    all[count++] = (struct gpu_contestant){copy_enqueue, gpu_finish, 0};
    if (err == 0)
        err = fill(a, false);
    if (err == 0)
        err = gpu_contest(all, count, a, b->options.quick);
    if (err < 0)
        return bench_fail("transform", *why ? why : strerror(-err));
    report(a, all, count, error);
    return 0;
}

int gpu_transform(struct bench *b, const struct shape *shape)
{
    const struct options *o = &b->options;
    const size_t all = o->quick                              ? QUICK_POINTS
                       : o->working_set == WORKING_SET_CACHE ? CACHE_POINTS
                                                             : MEMORY_POINTS;
    struct transform_case test_case = {0};
    int err = transform_case_init(&test_case, o, shape);
    struct arrays a = {.b = b, .test_case = &test_case, .plan = test_case.plan};
    a.plan.batch = test_case.points < all ? (uint32_t)(all / test_case.points) : 1;
    a.plan.on_buffers = true;
    if (err < 0)
        bench_fail("job", strerror(-err));
    else
        err = run_contest(&a);
    fft_transform_destroy(a.transform);
    if (a.out != a.in)
        fft_buffer_destroy(a.out);
    fft_buffer_destroy(a.in);
    transform_case_finish(&test_case);
    return err;
}
