/* planes.c - the table of planes: two axes in two passes, and in one. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/study/cuda_3d/others.h"
#include "fft/cuda/tables.h"
#include "reference/reference.h"

enum { POINT_BYTES = sizeof(struct fft_iq), LONGEST = 128 };
static const double allowed = 5e-7;

static const struct cuda_form forms[] = {{64, 8, {8, 8, 1, 1}, 64, 3, {"plane_64"}},
                                         {128, 16, {16, 8, 1, 1}, 128, 1, {"plane_128"}}};

struct plane_work {
    struct cuda_study *study;
    struct study_launch launch;
};

static int plane_enqueue(void *user)
{
    const struct plane_work *w = user;
    return study_launch(w->study, &w->launch);
}

/* ahead: planes to prefetch ahead. */
static int prepare(struct plane_work *w, const struct cuda_form *form, uint32_t planes,
                   uint32_t ahead, uint64_t tables)
{
    struct cuda_study *s = w->study;
    const uint32_t n = form->n, plane = n * n;
    struct fft_iq roots[2 * LONGEST];
    w->launch = (struct study_launch){.module = "tiles",
                                      .kernel = form->names[0],
                                      .grid = {planes, 1, 1},
                                      .block = plane / form->points,
                                      .shared = (plane + plane / form->radix[0]) * POINT_BYTES};
    w->launch.args.engine.pass =
        (struct pass_args){.from = s->from,
                           .to = s->to,
                           .roots = tables,
                           .axes = {{n, n, n}, {planes, plane, plane}, {1, 0, 0}, {1, 0, 0}},
                           .ahead = ahead,
                           .n = n,
                           .scale = 1};
    cuda_twiddles(form, roots);
    return gpu_write(s->study->gpu, tables, roots,
                     cuda_form_twiddles_at(form, cuda_form_passes(form)) * POINT_BYTES);
}

/* Transforms a plane [n][n] in double precision. */
static void transform_plane(struct complex64 *x, uint32_t n)
{
    struct complex64 column[LONGEST];
    for (uint32_t y = 0; y < n; y++)
        reference_dft(x + y * n, n, false);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t y = 0; y < n; y++)
            column[y] = x[y * n + i];
        reference_dft(column, n, false);
        for (uint32_t y = 0; y < n; y++)
            x[y * n + i] = column[y];
    }
}

/* The error of one plane. */
static int plane_error(struct cuda_study *s, uint32_t n, uint64_t result, uint32_t plane,
                       double *error)
{
    static struct fft_iq in[LONGEST * LONGEST], out[LONGEST * LONGEST];
    static struct complex64 want[LONGEST * LONGEST];
    const size_t bytes = (size_t)n * n * POINT_BYTES;
    int err = gpu_read(s->study->gpu, in, s->from + plane * bytes, bytes);
    if (err == 0)
        err = gpu_read(s->study->gpu, out, result + plane * bytes, bytes);
    for (uint32_t i = 0; i < n * n; i++)
        want[i] = (struct complex64){(double)in[i].re, (double)in[i].im};
    transform_plane(want, n);
    *error = noise_relative_error(out, want, n * n);
    return err;
}

/* cufft_s: set by the first row, which is cuFFT's. */
static int plane_row(struct cuda_study *s, uint32_t n, uint32_t planes, const char *way,
                     const struct study_work *work, double *cufft_s)
{
    double seconds = NAN, copied = NAN, first = NAN, last = NAN;
    char text[32];
    int err = study_cuda_measure(s, work, &seconds);
    if (err == 0)
        err = plane_error(s, n, work->out, 0, &first);
    if (err == 0)
        err = plane_error(s, n, work->out, planes - 1, &last);
    if (err == 0)
        err = study_cuda_copy_seconds(s, work->bytes, &copied);
    if (isnan(*cufft_s) && s->study->cufft)
        *cufft_s = seconds;
    snprintf(text, sizeof text, "%u x %u x %u", planes, n, n);
    table_row(&s->study->tables,
              (struct cell[]){CELL_TEXT(text), CELL_TEXT(way), CELL_NUMBER(1e3 * seconds, 4),
                              CELL_NUMBER(100 * copied / seconds, 3),
                              CELL_NUMBER(*cufft_s / seconds, 3),
                              CELL_NUMBER(first > last || isnan(first) ? first : last, 2)});
    study_cuda_judge(s, "planes", way, first, allowed);
    study_cuda_judge(s, "planes", way, last, allowed);
    return err;
}

static int kernel_rows(struct cuda_study *s, const struct cuda_form *form, uint32_t planes,
                       uint64_t tables, double *cufft_s)
{
    struct plane_work w = {.study = s};
    const size_t bytes = (size_t)planes * form->n * form->n * POINT_BYTES;
    const struct study_work work = {plane_enqueue, &w, s->to, bytes, false};
    int err = prepare(&w, form, planes, 0, tables);
    if (err == 0)
        err = plane_row(s, form->n, planes, "both axes in one pass", &work, cufft_s);
    w.launch.args.engine.pass.ahead = 50 * form->blocks; /* 3/8 of what an H200 works on */
    if (err == 0)
        err = plane_row(s, form->n, planes, "the same, prefetching", &work, cufft_s);
    return err;
}

static int planes_of(struct cuda_study *s, const struct cuda_form *form, uint32_t planes,
                     uint64_t tables)
{
    const struct fft_transform_plan plan = {.rank = 2, .n = {form->n, form->n}, .batch = planes};
    struct study_other o = {0};
    double cufft_s = NAN;
    int err = 0;
    if (s->study->cufft) {
        err = study_cufft_open(&o, s, &plan);
        if (err == 0)
            err = plane_row(s, form->n, planes, cufft_name(s->study->cufft), &o.work, &cufft_s);
    }
    if (err == 0) {
        err = study_engine_open(&o, s, &plan);
        if (err == 0)
            err = plane_row(s, form->n, planes, "the engine", &o.work, &cufft_s);
        study_engine_close(&o);
    }
    return err ? err : kernel_rows(s, form, planes, tables, &cufft_s);
}

int study_cuda_planes(struct cuda_study *s)
{
    static const char *const columns[] = {"planes",   "way",   "ms", "of a copy, %",
                                          "to cuFFT", "error", NULL};
    uint64_t tables = 0;
    int err = gpu_alloc(s->study->gpu, &tables, 2 * LONGEST * POINT_BYTES);
    table_open(&s->study->tables, "planes",
               "Future work, in full: stages of the next axis are computed while the points of "
               "several rows are in a block. If these\n"
               "are all rows of a plane, its second axis needs no pass of its own.",
               columns);
    for (size_t i = 0; err == 0 && i < sizeof forms / sizeof forms[0]; i++) {
        const uint32_t n = forms[i].n;
        const size_t most = s->bytes / POINT_BYTES / n / n;
        err = planes_of(s, &forms[i], s->study->options.quick ? 4 : n, tables);
        if (err == 0 && !s->study->options.quick)
            err = planes_of(s, &forms[i], (uint32_t)most, tables);
    }
    gpu_free(s->study->gpu, tables);
    return err;
}
