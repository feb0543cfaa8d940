/* planes.c - the table of planes: two axes in two passes, and in one. */
#include <math.h>
#include <stdio.h>

#include "reference/reference.h"
#include "studies/cuda_3d/others.h"

enum { POINT_BYTES = sizeof(struct fft_iq), LONGEST = 128 };
static const double allowed = 5e-7;

/* Rows of a plane, and points of a row. */
struct plane {
    uint32_t rows, n;
};

/* Transforms a plane in double precision. */
static void transform_plane(struct complex64 *x, struct plane p)
{
    struct complex64 column[LONGEST];
    for (uint32_t y = 0; y < p.rows; y++)
        reference_dft(x + (size_t)y * p.n, p.n, false);
    for (uint32_t i = 0; i < p.n; i++) {
        for (uint32_t y = 0; y < p.rows; y++)
            column[y] = x[y * p.n + i];
        reference_dft(column, p.rows, false);
        for (uint32_t y = 0; y < p.rows; y++)
            x[y * p.n + i] = column[y];
    }
}

/* The error of one plane. */
static int plane_error(struct cuda_study *s, struct plane p, uint64_t result, uint32_t number,
                       double *error)
{
    static struct fft_iq in[LONGEST * LONGEST], out[LONGEST * LONGEST];
    static struct complex64 want[LONGEST * LONGEST];
    const uint32_t points = p.rows * p.n;
    const size_t bytes = (size_t)points * POINT_BYTES;
    int err = gpu_read(s->study->gpu, in, s->from + number * bytes, bytes);
    if (err == 0)
        err = gpu_read(s->study->gpu, out, result + number * bytes, bytes);
    for (uint32_t i = 0; i < points; i++)
        want[i] = (struct complex64){(double)in[i].re, (double)in[i].im};
    transform_plane(want, p);
    *error = noise_relative_error(out, want, points);
    return err;
}

/* cufft_s: NaN until cuFFT's row has set it. */
static int plane_row(struct cuda_study *s, struct plane p, uint32_t planes, const char *way,
                     const struct study_work *work, double *cufft_s)
{
    double seconds = NAN, copied = NAN, first = NAN, last = NAN;
    char text[32];
    int err = study_cuda_measure(s, work, &seconds);
    if (err == 0)
        err = plane_error(s, p, work->out, 0, &first);
    if (err == 0)
        err = plane_error(s, p, work->out, planes - 1, &last);
    if (err == 0)
        err = study_cuda_copy_seconds(s, work->bytes, &copied);
    if (isnan(*cufft_s) && s->study->cufft)
        *cufft_s = seconds;
    snprintf(text, sizeof text, "%u x %u x %u", planes, p.rows, p.n);
    table_row(&s->study->tables,
              (struct cell[]){CELL_TEXT(text), CELL_TEXT(way), CELL_NUMBER(1e3 * seconds, 4),
                              CELL_NUMBER(100 * copied / seconds, 3),
                              CELL_NUMBER(*cufft_s / seconds, 3),
                              CELL_NUMBER(first > last || isnan(first) ? first : last, 2)});
    study_cuda_judge(s, "planes", way, first, allowed);
    study_cuda_judge(s, "planes", way, last, allowed);
    return err;
}

static int engine_row(struct cuda_study *s, struct plane p, uint32_t planes, const char *way,
                      enum study_axes axes, double *cufft_s)
{
    const struct fft_transform_config plan = {.rank = 2, .n = {p.rows, p.n}, .batch = planes};
    struct study_other o;
    int err = study_engine_open(&o, s, &plan, axes);
    if (err == 0)
        err = plane_row(s, p, planes, way, &o.work, cufft_s);
    study_engine_close(&o);
    return err;
}

static int planes_of(struct cuda_study *s, struct plane p, uint32_t planes)
{
    const struct fft_transform_config plan = {.rank = 2, .n = {p.rows, p.n}, .batch = planes};
    struct study_other o = {0};
    double cufft_s = NAN;
    int err = 0;
    if (s->study->cufft) {
        err = study_cufft_open(&o, s, &plan);
        if (err == 0)
            err = plane_row(s, p, planes, cufft_name(s->study->cufft), &o.work, &cufft_s);
    }
    if (err == 0)
        err = engine_row(s, p, planes, "the engine, a pass an axis", STUDY_APART, &cufft_s);
    return err ? err : engine_row(s, p, planes, "the engine", STUDY_JOINED, &cufft_s);
}

/* 1, 4, 16, ... planes, and as many as fill the array. */
static int counts_of(struct cuda_study *s, struct plane p)
{
    const uint32_t most = (uint32_t)(s->bytes / POINT_BYTES / p.rows / p.n);
    int err = 0;
    if (s->study->options.quick)
        return planes_of(s, p, 4);
    for (uint32_t planes = 1; err == 0 && planes <= 1024; planes *= 4)
        err = planes_of(s, p, planes);
    return err ? err : planes_of(s, p, most);
}

int study_cuda_planes(struct cuda_study *s)
{
    static const char *const columns[] = {"planes",   "way",   "ms", "of a copy, %",
                                          "to cuFFT", "error", NULL};
    static const struct plane planes[] = {{64, 64}, {64, 128}, {128, 64}, {128, 128}};
    int err = 0;
    table_open(&s->study->tables, "planes",
               "Future work, in full: stages of the next axis are computed while the points of "
               "several rows are in a block. If these\n"
               "are all rows of a plane, its second axis needs no pass of its own.",
               columns);
    for (size_t i = 0; err == 0 && i < sizeof planes / sizeof planes[0]; i++)
        err = counts_of(s, planes[i]);
    return err;
}
