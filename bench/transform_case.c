/* transform_case.c - input, truth and arrays of plain transforms. */
#include "bench/transform_case.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CACHE_POINTS = 1 << 16,  /* 512 KiB in, 512 KiB out */
    MEMORY_POINTS = 1 << 22, /* 32 MiB in, 32 MiB out */
    RUN_POINTS = 1 << 23,    /* some 10 ms */
    QUICK_POINTS = 1 << 14
};

static bool halved(const struct transform_job *job)
{
    return job->plan.type == FFT_TRANSFORM_R2C || job->plan.type == FFT_TRANSFORM_C2R;
}

/* ---- the truth -------------------------------------------------------------------------- */

/* Along every axis, x: [n0][n1][n2]. */
static int transform_double(struct complex64 *x, const struct transform_job *job, bool inverse)
{
    const struct fft_transform_plan *p = &job->plan;
    size_t stride = 1;
    for (uint32_t axis = p->rank; axis-- > 0; stride *= p->n[axis]) {
        struct complex64 *row = malloc(p->n[axis] * sizeof *row);
        if (!row)
            return -ENOMEM;
        for (size_t i = 0; i < job->points; i++) {
            if (i / stride % p->n[axis] != 0)
                continue;
            for (size_t j = 0; j < p->n[axis]; j++)
                row[j] = x[i + j * stride];
            reference_dft(row, p->n[axis], inverse);
            for (size_t j = 0; j < p->n[axis]; j++)
                x[i + j * stride] = row[j];
        }
        free(row);
    }
    return 0;
}

/* To a float and back: what the transform is really given. */
static double rounded(double v)
{
    return (double)(float)v;
}

/* The input in full, as a complex array; the spectrum of real noise for a c2r. */
static int make_input(struct transform_job *job, struct complex64 *x)
{
    uint64_t state = job->points;
    for (size_t i = 0; i < job->points; i++) {
        double v[2];
        for (int part = 0; part < 2; part++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            v[part] = rounded((double)(state >> 40) / 0x1p23 - 1);
        }
        x[i] = (struct complex64){v[0], halved(job) ? 0 : v[1]};
    }
    if (job->plan.type != FFT_TRANSFORM_C2R)
        return 0;
    const int err = transform_double(x, job, false);
    for (size_t i = 0; err == 0 && i < job->points; i++)
        x[i] = (struct complex64){rounded(x[i].re), rounded(x[i].im)};
    return err;
}

/* ---- how a row is stored ---------------------------------------------------------------- */

struct stored {
    bool real;
    size_t used, width; /* elements of the last axis: those that count, and with padding */
};

static struct stored stored(const struct transform_job *job, bool output)
{
    const struct fft_transform_plan *p = &job->plan;
    const size_t n = p->n[p->rank - 1], half = n / 2 + 1;
    const bool real = halved(job) && output == (p->type == FFT_TRANSFORM_C2R);
    if (real)
        return (struct stored){true, n, p->in_place ? 2 * half : n};
    return halved(job) ? (struct stored){false, half, half} : (struct stored){false, n, n};
}

static size_t stored_floats(const struct transform_job *job, bool output)
{
    const struct stored s = stored(job, output);
    return job->points / job->plan.n[job->plan.rank - 1] * s.width * (s.real ? 1 : 2);
}

static void store_input(struct transform_job *job, const struct complex64 *x)
{
    const struct stored s = stored(job, false);
    const size_t n = job->plan.n[job->plan.rank - 1];
    for (size_t row = 0; row < job->points / n; row++)
        for (size_t j = 0; j < s.used; j++) {
            float *to = job->in + (row * s.width + j) * (s.real ? 1 : 2);
            to[0] = (float)x[row * n + j].re;
            if (!s.real)
                to[1] = (float)x[row * n + j].im;
        }
}

double transform_job_error(const struct transform_job *job, const float *out)
{
    const struct stored s = stored(job, true);
    const size_t n = job->plan.n[job->plan.rank - 1];
    double off = 0, all = 0;
    for (size_t row = 0; row < job->points / n; row++)
        for (size_t j = 0; j < s.used; j++) {
            const float *got = out + (row * s.width + j) * (s.real ? 1 : 2);
            const struct complex64 want = job->truth[row * n + j];
            const double re = (double)got[0] - want.re, im = s.real ? 0 : (double)got[1] - want.im;
            off += re * re + im * im;
            all += want.re * want.re + want.im * want.im;
        }
    return sqrt(off / all);
}

/* ---- the job ---------------------------------------------------------------------------- */

static void choose_set(struct transform_job *job, enum place place, size_t run_points)
{
    const bool cache = place == PLACE_AUTO ? job->points <= CACHE_POINTS : place == PLACE_CACHE;
    const size_t rows = (cache ? CACHE_POINTS : MEMORY_POINTS) / job->points;
    const size_t laps = run_points / (job->points * (rows ? rows : 1));
    job->rows = rows > job->threads ? (uint32_t)rows : job->threads;
    job->laps = laps ? (uint32_t)laps : 1;
}

int transform_job_init(struct transform_job *job, const struct options *o,
                       const struct shape *shape)
{
    const bool inverse = o->type == FFT_TRANSFORM_INVERSE || o->type == FFT_TRANSFORM_C2R;
    *job = (struct transform_job){
        .plan = {.type = o->type, .rank = shape->rank, .batch = 1, .in_place = o->in_place},
        .threads = o->threads,
        .points = 1};
    for (uint32_t axis = 0; axis < shape->rank; axis++)
        job->points *= job->plan.n[axis] = shape->n[axis];
    choose_set(job, o->place, o->quick ? QUICK_POINTS : RUN_POINTS);
    job->in_bytes = stored_floats(job, false) * sizeof(float);
    job->out_bytes = stored_floats(job, true) * sizeof(float);
    job->in = calloc(1, job->in_bytes);
    job->truth = malloc(job->points * sizeof *job->truth);
    if (!job->in || !job->truth)
        return -ENOMEM;

    const int err = make_input(job, job->truth);
    if (err < 0)
        return err;
    store_input(job, job->truth);
    return transform_double(job->truth, job, inverse);
}

void transform_job_finish(struct transform_job *job)
{
    free(job->in);
    free(job->truth);
    *job = (struct transform_job){0};
}

/* ---- arrays ----------------------------------------------------------------------------- */

static size_t aligned(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

void arena_finish(struct arena *a)
{
    if (a->out != a->in)
        free(a->out);
    free(a->in);
    *a = (struct arena){0};
}

int arena_init(struct arena *a, const struct transform_job *job, uint32_t batch)
{
    arena_finish(a);
    if (batch > job->rows)
        return -ERANGE;
    *a = (struct arena){.batch = batch,
                        .calls = job->rows / batch,
                        .in_step = aligned(batch * job->in_bytes),
                        .out_step = aligned(batch * job->out_bytes)};
    a->in = aligned_alloc(64, a->in_step * a->calls);
    a->out = job->plan.in_place ? a->in : aligned_alloc(64, a->out_step * a->calls);
    return a->in && a->out ? 0 : -ENOMEM;
}

void arena_fill(struct arena *a, const struct transform_job *job, bool first)
{
    for (size_t call = 0; call < a->calls; call++)
        for (size_t row = 0; row < a->batch; row++) {
            char *to = a->in + call * a->in_step + row * job->in_bytes;
            if (first || !job->plan.in_place)
                memcpy(to, job->in, job->in_bytes);
            else
                memset(to, 0, job->in_bytes);
        }
    if (!job->plan.in_place)
        memset(a->out, 0, a->out_step * a->calls);
}

double arena_error(const struct arena *a, const struct transform_job *job)
{
    const char *last = a->out + (a->batch - 1) * job->out_bytes;
    return fmax(transform_job_error(job, (const float *)a->out),
                transform_job_error(job, (const float *)last));
}
