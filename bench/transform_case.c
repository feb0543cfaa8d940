/* transform_case.c - makes the input, the expected output and the arrays of plain transforms. */
#include "bench/transform_case.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CACHE_POINTS = 1 << 16,  /* 512 KiB in, 512 KiB out */
    MEMORY_POINTS = 1 << 22, /* 32 MiB in, 32 MiB out */
    RUN_POINTS = 1 << 23,    /* about 10 ms */
    QUICK_POINTS = 1 << 14
};

static bool halved(const struct transform_case *test_case)
{
    return test_case->plan.type == FFT_TRANSFORM_R2C || test_case->plan.type == FFT_TRANSFORM_C2R;
}

/* ---- the truth -------------------------------------------------------------------------- */

/* Transforms x: [n0][n1][n2] along every axis. */
static int transform_double(struct complex64 *x, const struct transform_case *test_case,
                            bool inverse)
{
    const struct fft_transform_config *p = &test_case->plan;
    size_t stride = 1;
    for (uint32_t axis = p->rank; axis-- > 0; stride *= p->n[axis]) {
        struct complex64 *row = malloc(p->n[axis] * sizeof *row);
        if (!row)
            return -ENOMEM;
        for (size_t i = 0; i < test_case->points; i++) {
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

/* Rounds to float and back: the value that the measured transform reads. */
static double rounded(double v)
{
    return (double)(float)v;
}

/* Fills x with the complete input; for a c2r with the spectrum of real noise. */
static int make_input(struct transform_case *test_case, struct complex64 *x)
{
    uint64_t state = test_case->points;
    for (size_t i = 0; i < test_case->points; i++) {
        double v[2];
        for (int part = 0; part < 2; part++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            v[part] = rounded((double)(state >> 40) / 0x1p23 - 1);
        }
        x[i] = (struct complex64){v[0], halved(test_case) ? 0 : v[1]};
    }
    if (test_case->plan.type != FFT_TRANSFORM_C2R)
        return 0;
    const int err = transform_double(x, test_case, false);
    for (size_t i = 0; err == 0 && i < test_case->points; i++)
        x[i] = (struct complex64){rounded(x[i].re), rounded(x[i].im)};
    return err;
}

/* ---- how a row is stored ---------------------------------------------------------------- */

struct stored {
    bool real;
    size_t used, width; /* elements of the last axis: valid ones, and those stored with padding */
};

static struct stored stored(const struct transform_case *test_case, bool output)
{
    const struct fft_transform_config *p = &test_case->plan;
    const size_t n = p->n[p->rank - 1], half = n / 2 + 1;
    const bool real = halved(test_case) && output == (p->type == FFT_TRANSFORM_C2R);
    if (real)
        return (struct stored){true, n, p->in_place ? 2 * half : n};
    return halved(test_case) ? (struct stored){false, half, half} : (struct stored){false, n, n};
}

static size_t stored_floats(const struct transform_case *test_case, bool output)
{
    const struct stored s = stored(test_case, output);
    return test_case->points / test_case->plan.n[test_case->plan.rank - 1] * s.width *
           (s.real ? 1 : 2);
}

static void store_input(struct transform_case *test_case, const struct complex64 *x)
{
    const struct stored s = stored(test_case, false);
    const size_t n = test_case->plan.n[test_case->plan.rank - 1];
    for (size_t row = 0; row < test_case->points / n; row++)
        for (size_t j = 0; j < s.used; j++) {
            float *to = test_case->in + (row * s.width + j) * (s.real ? 1 : 2);
            to[0] = (float)x[row * n + j].re;
            if (!s.real)
                to[1] = (float)x[row * n + j].im;
        }
}

double transform_case_error(const struct transform_case *test_case, const float *out)
{
    const struct stored s = stored(test_case, true);
    const size_t n = test_case->plan.n[test_case->plan.rank - 1];
    double off = 0, all = 0;
    for (size_t row = 0; row < test_case->points / n; row++)
        for (size_t j = 0; j < s.used; j++) {
            const float *got = out + (row * s.width + j) * (s.real ? 1 : 2);
            const struct complex64 want = test_case->truth[row * n + j];
            const double re = (double)got[0] - want.re, im = s.real ? 0 : (double)got[1] - want.im;
            off += re * re + im * im;
            all += want.re * want.re + want.im * want.im;
        }
    return sqrt(off / all);
}

/* ---- the case --------------------------------------------------------------------------- */

static void choose_set(struct transform_case *test_case, enum working_set set, size_t run_points)
{
    const bool cache =
        set == WORKING_SET_AUTO ? test_case->points <= CACHE_POINTS : set == WORKING_SET_CACHE;
    const size_t rows = (cache ? CACHE_POINTS : MEMORY_POINTS) / test_case->points;
    const size_t laps = run_points / (test_case->points * (rows ? rows : 1));
    test_case->rows = rows > test_case->threads ? (uint32_t)rows : test_case->threads;
    test_case->laps = laps ? (uint32_t)laps : 1;
}

static int make_truth(struct transform_case *test_case, bool inverse)
{
    const double n = (double)test_case->points;
    const double scale = test_case->plan.scale == FFT_TRANSFORM_BY_N        ? 1 / n
                         : test_case->plan.scale == FFT_TRANSFORM_BY_ROOT_N ? 1 / sqrt(n)
                                                                            : 1;
    const int err = transform_double(test_case->truth, test_case, inverse);
    for (size_t i = 0; i < test_case->points; i++) {
        struct complex64 *x = &test_case->truth[i];
        *x = (struct complex64){x->re * scale, x->im * scale};
    }
    return err;
}

int transform_case_init(struct transform_case *test_case, const struct options *o,
                        const struct shape *shape)
{
    const bool inverse = o->type == FFT_TRANSFORM_INVERSE || o->type == FFT_TRANSFORM_C2R;
    *test_case = (struct transform_case){.plan = {.type = o->type,
                                                  .scale = o->scale,
                                                  .rank = shape->rank,
                                                  .batch = 1,
                                                  .in_place = o->in_place},
                                         .threads = o->threads,
                                         .points = 1};
    for (uint32_t axis = 0; axis < shape->rank; axis++)
        test_case->points *= test_case->plan.n[axis] = shape->n[axis];
    choose_set(test_case, o->working_set, o->quick ? QUICK_POINTS : RUN_POINTS);
    test_case->in_bytes = stored_floats(test_case, false) * sizeof(float);
    test_case->out_bytes = stored_floats(test_case, true) * sizeof(float);
    test_case->in = calloc(1, test_case->in_bytes);
    test_case->truth = malloc(test_case->points * sizeof *test_case->truth);
    if (!test_case->in || !test_case->truth)
        return -ENOMEM;

    const int err = make_input(test_case, test_case->truth);
    if (err < 0)
        return err;
    store_input(test_case, test_case->truth);
    return make_truth(test_case, inverse);
}

void transform_case_finish(struct transform_case *test_case)
{
    free(test_case->in);
    free(test_case->truth);
    *test_case = (struct transform_case){0};
}

/* ---- arrays ----------------------------------------------------------------------------- */

static size_t aligned(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

void transform_arrays_finish(struct transform_arrays *a)
{
    if (a->out != a->in)
        free(a->out);
    free(a->in);
    *a = (struct transform_arrays){0};
}

int transform_arrays_init(struct transform_arrays *a, const struct transform_case *test_case,
                          uint32_t batch)
{
    transform_arrays_finish(a);
    if (batch > test_case->rows)
        return -ERANGE;
    *a = (struct transform_arrays){.batch = batch,
                                   .calls = test_case->rows / batch,
                                   .in_step = aligned(batch * test_case->in_bytes),
                                   .out_step = aligned(batch * test_case->out_bytes)};
    a->in = aligned_alloc(64, a->in_step * a->calls);
    a->out = test_case->plan.in_place ? a->in : aligned_alloc(64, a->out_step * a->calls);
    return a->in && a->out ? 0 : -ENOMEM;
}

void transform_arrays_fill(struct transform_arrays *a, const struct transform_case *test_case,
                           bool first)
{
    for (size_t call = 0; call < a->calls; call++)
        for (size_t row = 0; row < a->batch; row++) {
            char *to = a->in + call * a->in_step + row * test_case->in_bytes;
            if (first || !test_case->plan.in_place)
                memcpy(to, test_case->in, test_case->in_bytes);
            else
                memset(to, 0, test_case->in_bytes);
        }
    if (!test_case->plan.in_place)
        memset(a->out, 0, a->out_step * a->calls);
}

double transform_arrays_error(const struct transform_arrays *a,
                              const struct transform_case *test_case)
{
    const char *last = a->out + (a->batch - 1) * test_case->out_bytes;
    return fmax(transform_case_error(test_case, (const float *)a->out),
                transform_case_error(test_case, (const float *)last));
}
