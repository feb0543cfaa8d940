/* rows.c - the tables of rows of 128 points and of axis orders. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/study/cuda_3d/cuda_study.h"
#include "bench/study/study.h"
#include "fft/cuda/tables.h"
#include "kernels/cuda/study/args.h"

enum { POINT_BYTES = sizeof(struct fft_iq), THREADS_SM = 2048 };

/* ---- rows -------------------------------------------------------------------------------- */

/* shared: bytes of shared memory; rows and threads of a block. */
static const struct variant {
    const char *name, *kernel;
    uint32_t rows, threads, shared,
        points; /* points of a thread in a tile; 0: the document's kernels */
} variants[] = {
    {"a thread has a row", "dit128_thread", 128, 128, 0, 0},
    {"a block has a row, H = 1", "dit128_h1", 1, 128, 1 << 10, 0},
    {"H = 2", "dit128_h2", 2, 128, 2 << 10, 0},
    {"H = 4, the document's best", "dit128_h4", 4, 128, 4 << 10, 0},
    {"H = 8", "dit128_h8", 8, 128, 8 << 10, 0},
    {"H = 16", "dit128_h16", 16, 128, 16 << 10, 0},
    {"H = 32, more rows", "dit128_h32", 32, 128, 32 << 10, 0},
    {"H = 4, fast-math twiddles", "dit128_h4_fast", 4, 128, 4 << 10, 0},
    {"H = 4, decimation in frequency", "dit128_h4_frequency", 4, 128, 4 << 10, 0},
    {"H = 4, 256 threads", "dit128_h4_256", 8, 256, 8 << 10, 0},
    {"H = 4, 512 threads", "dit128_h4_512", 16, 512, 16 << 10, 0},
    {"H = 4, 1024 threads", "dit128_h4_1024", 32, 1024, 32 << 10, 0},
    {"H = 1, shuffles", "dit128_shuffle_h1", 4, 128, 0, 0},
    {"H = 4, shuffles", "dit128_shuffle_h4", 16, 128, 0, 0},
    {"4 points a thread", "along128_e4", 16, 512, 16 * (128 + 128 / 4) * POINT_BYTES, 4},
    {"8 points a thread", "along128_e8", 16, 256, 16 * (128 + 128 / 8) * POINT_BYTES, 8},
    {"16 points a thread", "along128_e16", 16, 128, 16 * (128 + 128 / 16) * POINT_BYTES, 16},
    {"32 points a thread", "along128_e32", 16, 64, 16 * (128 + 128 / 32) * POINT_BYTES, 32},
};

/* The tiles' radices, as in kernels/cuda/study/tiles.cu. */
static struct cuda_form form_of(uint32_t points)
{
    static const struct cuda_form forms[] = {{STUDY_N, 4, {4, 4, 4, 2}, 16, 1, {0}},
                                             {STUDY_N, 8, {8, 8, 2, 1}, 16, 1, {0}},
                                             {STUDY_N, 16, {16, 8, 1, 1}, 16, 1, {0}},
                                             {STUDY_N, 32, {32, 4, 1, 1}, 16, 1, {0}}};
    size_t i = 0;
    while (forms[i].points != points)
        i++;
    return forms[i];
}

struct rows_work {
    struct cuda_study *study;
    struct study_launch launch;
    struct study_rows_args rows;
    struct pass_args tile;
};

static int rows_enqueue(void *user)
{
    const struct rows_work *w = user;
    return study_launch(w->study, &w->launch);
}

static int prepare(struct rows_work *w, const struct variant *v, uint64_t tables)
{
    struct cuda_study *s = w->study;
    const uint32_t rows = (uint32_t)(s->bytes / POINT_BYTES / STUDY_N);
    w->rows = (struct study_rows_args){s->from, s->to, s->roots, rows};
    w->tile =
        (struct pass_args){.from = s->from,
                           .to = s->to,
                           .roots = tables,
                           .from_stride = 1,
                           .to_stride = 1,
                           .axes = {{rows, STUDY_N, STUDY_N}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}},
                           .n = STUDY_N};
    w->launch = (struct study_launch){
        .module = v->points ? "tiles" : "dit128",
        .kernel = v->kernel,
        .grid = {(rows + v->rows - 1) / v->rows, 1, 1},
        .block = v->threads,
        .shared = v->shared,
        .args = v->points ? (const void *)&w->tile : (const void *)&w->rows,
    };
    if (!v->points)
        return 0;
    struct fft_iq roots[STUDY_N * 2];
    const struct cuda_form form = form_of(v->points);
    cuda_twiddles(&form, roots);
    return gpu_write(s->study->gpu, tables, roots,
                     cuda_form_twiddles_at(&form, cuda_form_passes(&form)) * POINT_BYTES);
}

/* Computes the larger error of the first and the last row. */
static int rows_error(struct cuda_study *s, double *error)
{
    struct fft_iq in[STUDY_N], out[STUDY_N];
    const size_t last = s->bytes - sizeof in, arrays[] = {0, last};
    int err = 0;
    *error = 0;
    for (int i = 0; err == 0 && i < 2; i++) {
        err = gpu_read(s->study->gpu, in, s->from + arrays[i], sizeof in);
        if (err == 0)
            err = gpu_read(s->study->gpu, out, s->to + arrays[i], sizeof out);
        const double one = noise_transform_error(in, out, STUDY_N);
        *error = one > *error || isnan(one) ? one : *error;
    }
    return err;
}

static struct cell known(int value)
{
    return value < 0 ? CELL_NONE : CELL_NUMBER(value, 5);
}

static int rows_row(struct cuda_study *s, const struct variant *v, uint64_t tables, double cufft_s)
{
    static const float poison = NAN;
    struct rows_work w = {.study = s};
    double seconds = NAN, error = NAN;
    int err = gpu_fill(s->study->gpu, s->to, s->bytes, &poison, sizeof poison);
    if (err == 0)
        err = prepare(&w, v, tables);
    if (err == 0)
        err = study_cuda_seconds(s, rows_enqueue, &w, &seconds);
    if (err == 0)
        err = rows_error(s, &error);
    const struct kernel_facts f = study_facts(s, &w.launch);
    const double held = f.resident < 0 ? NAN : 100.0 * f.resident * v->threads / THREADS_SM;
    table_row(&s->study->tables,
              (struct cell[]){CELL_TEXT(v->name), known(f.registers), known(f.local),
                              CELL_NUMBER(v->shared, 6), known(f.resident), CELL_NUMBER(held, 3),
                              CELL_NUMBER(2e-9 * (double)s->bytes / seconds, 4),
                              CELL_NUMBER(cufft_s / seconds, 3), CELL_NUMBER(error, 2)});
    return err;
}

struct plan_work {
    struct cuda_study *study;
};

static int cufft_enqueue(void *user)
{
    const struct cuda_study *s = ((const struct plan_work *)user)->study;
    return cufft_run(s->study->cufft, s->from, s->to);
}

/* Measures cuFFT; NaN without it. */
static int cufft_seconds(struct cuda_study *s, double *seconds)
{
    const struct fft_transform_plan plan = {
        .rank = 1, .n = {STUDY_N}, .batch = (uint32_t)(s->bytes / POINT_BYTES / STUDY_N)};
    struct plan_work w = {s};
    *seconds = NAN;
    if (!s->study->cufft)
        return 0;
    const int err = cufft_plan(s->study->cufft, &plan);
    return err ? err : study_cuda_seconds(s, cufft_enqueue, &w, seconds);
}

int study_cuda_rows(struct cuda_study *s)
{
    static const char *const columns[] = {"rows of 128", "registers",  "local, B",   "shared, B",
                                          "blocks",      "threads, %", "GB/s moved", "to cuFFT",
                                          "error",       NULL};
    double cufft_s = NAN;
    uint64_t tables = 0;
    int err = gpu_alloc(s->study->gpu, &tables, STUDY_N * 2 * POINT_BYTES);
    if (err == 0)
        err = cufft_seconds(s, &cufft_s);
    table_open(&s->study->tables, "rows",
               "Radix 2, decimation in time, a thread for each point, with three assignments of "
               "rows to threads; H rows a block.\n"
               "H = 4 was the best: larger H met the limits of shared memory and of 63 "
               "registers. Frequency \"would not differ\", more\n"
               "threads \"will do better\"; shuffles and more points a thread are the "
               "document's future work.",
               columns);
    for (size_t i = 0; err == 0 && i < sizeof variants / sizeof variants[0]; i++)
        err = rows_row(s, &variants[i], tables, cufft_s);
    gpu_free(s->study->gpu, tables);
    return err;
}

/* ---- orders of axes ---------------------------------------------------------------------- */

struct permute_work {
    struct cuda_study *study;
    struct study_launch launch;
    struct study_permute_args args;
};

static int permute_enqueue(void *user)
{
    const struct permute_work *w = user;
    return study_launch(w->study, &w->launch);
}

static int copy_enqueue(void *user)
{
    const struct cuda_study *s = ((const struct plan_work *)user)->study;
    return gpu_copy(s->study->gpu, s->to, s->from, s->bytes);
}

int study_cuda_permute(struct cuda_study *s)
{
    static const char *const columns[] = {"[0][1][2] becomes", "GB/s moved", "of a copy", NULL};
    static const uint32_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                          {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const uint32_t n = s->study->options.quick ? 128 : 512;
    struct plan_work copy = {s};
    double copied = NAN;
    int err = study_cuda_seconds(s, copy_enqueue, &copy, &copied);
    copied = 2.0 * (double)s->bytes / copied;
    table_open(&s->study->tables, "permute",
               "The optimised transposition of NVIDIA's samples in three dimensions: it copies "
               "whole lines without bank conflicts.",
               columns);
    for (int i = 0; err == 0 && i < 6; i++) {
        struct permute_work w = {.study = s};
        char text[24];
        double seconds = NAN;
        study_permutation(&w.args, &w.launch, n, orders[i]);
        w.args.from = s->from;
        w.args.to = s->to;
        err = study_cuda_seconds(s, permute_enqueue, &w, &seconds);
        const double moved = 2.0 * n * n * n * POINT_BYTES / seconds;
        snprintf(text, sizeof text, "[%u][%u][%u]", orders[i][0], orders[i][1], orders[i][2]);
        table_row(&s->study->tables, (struct cell[]){CELL_TEXT(text), CELL_NUMBER(1e-9 * moved, 4),
                                                     CELL_NUMBER(moved / copied, 3)});
    }
    return err;
}
