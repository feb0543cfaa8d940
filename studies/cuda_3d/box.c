/* box.c - the table of three-dimensional transforms: the document's seven passes, its future work,
 * the engine and cuFFT. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fft/cuda/cuda_tables.h"
#include "reference/reference.h"
#include "studies/cuda_3d/others.h"

enum { POINT_BYTES = sizeof(struct fft_iq), MOST_STEPS = 8 };

/* ---- chains of 128 ------------------------------------------------------------------------ */

/*
 * One pass: a kernel on rows, four rows per block, whose neighbours along the next axis are
 * `next_apart` rows apart; or, without a kernel, a new order of the axes.
 */
struct step {
    const char *module, *kernel;
    uint32_t next_apart, order[3];
};

/* clang-format off */
#define ROWS             {"dit128", "dit128_h4", 0, {0}}
#define AHEAD            {"ahead128", "dit128_ahead", 1, {0}}
#define REST_AHEAD       {"ahead128", "dit128_rest_ahead", STUDY_N, {0}}
#define REST             {"ahead128", "dit128_rest", 0, {0}}
#define ORDER(a, b, c)   {NULL, NULL, 0, {a, b, c}}
/* clang-format on */

static const struct chain {
    const char *name;
    struct step steps[MOST_STEPS];
} chains[] = {
    {"3 transforms, 4 transpositions",
     {ROWS, ORDER(0, 2, 1), ROWS, ORDER(2, 1, 0), ROWS, ORDER(0, 2, 1), ORDER(1, 0, 2)}},
    {"the last two merged", {ROWS, ORDER(0, 2, 1), ROWS, ORDER(2, 1, 0), ROWS, ORDER(2, 0, 1)}},
    {"and the second axis begun ahead",
     {AHEAD, ORDER(0, 2, 1), REST, ORDER(2, 1, 0), ROWS, ORDER(2, 0, 1)}},
    {"and both later axes begun ahead",
     {AHEAD, ORDER(0, 2, 1), REST_AHEAD, ORDER(2, 1, 0), REST, ORDER(2, 0, 1)}},
};

static uint32_t count_steps(const struct chain *c)
{
    uint32_t count = 0;
    while (count < MOST_STEPS &&
           (c->steps[count].kernel || c->steps[count].order[0] || c->steps[count].order[1]))
        count++;
    return count;
}

struct box_work {
    struct cuda_study *study;
    const struct chain *chain;
    struct study_launch rotation;
};

/* Alternates between two arrays so that the last pass writes `to`; the first pass reads `from`. */
static int chain_enqueue(void *user)
{
    const struct box_work *w = user;
    struct cuda_study *s = w->study;
    const uint32_t count = count_steps(w->chain);
    const uint64_t middle = s->to + s->bytes / 2;
    uint64_t at = s->from;
    int err = 0;
    for (uint32_t i = 0; err == 0 && i < count; i++) {
        const struct step *step = &w->chain->steps[i];
        const uint64_t next = (count - i) % 2 ? s->to : middle;
        struct study_launch l = {.module = step->module,
                                 .kernel = step->kernel,
                                 .grid = {STUDY_N * STUDY_N / 4, 1, 1},
                                 .block = STUDY_N,
                                 .shared = 4 * STUDY_N * POINT_BYTES};
        if (step->kernel) {
            l.args.rows =
                (struct study_rows_args){at, next, s->roots, STUDY_N * STUDY_N, step->next_apart};
        } else {
            study_permutation(&l, STUDY_N, step->order);
            l.args.permute.from = at;
            l.args.permute.to = next;
        }
        err = study_launch(s, &l);
        at = next;
    }
    return err;
}

/* ---- rotation ----------------------------------------------------------------------------- */

static int rotation_enqueue(void *user)
{
    struct box_work *w = user;
    struct cuda_study *s = w->study;
    const uint64_t middle = s->from + s->bytes / 2; /* the second of two boxes in the array */
    const uint64_t arrays[] = {s->from, s->to, middle, s->to};
    int err = 0;
    for (int i = 0; err == 0 && i < 3; i++) {
        w->rotation.args.engine.pass.from = arrays[i];
        w->rotation.args.engine.pass.to = arrays[i + 1];
        err = study_launch(s, &w->rotation);
    }
    return err;
}

static int prepare_rotation(struct box_work *w, uint32_t n, uint64_t tables)
{
    static const struct cuda_form forms[] = {
        {128, 16, {16, 8, 1, 1}, 32, 2, 1, 1, {"transpose_128"}},
        {256, 16, {16, 16, 1, 1}, 32, 2, 1, 1, {"transpose_256"}}};
    const struct cuda_form *form = &forms[n / 256];
    const uint32_t padded = n + n / form->radix[0], pitch = (padded + 15) / 16 * 16 + 1;
    struct fft_iq roots[1024];
    cuda_twiddles(form, roots);
    w->rotation = (struct study_launch){.module = "tiles",
                                        .kernel = form->names[0],
                                        .grid = {n / form->rows * n, 1, 1},
                                        .block = cuda_form_threads(form),
                                        .shared = form->rows * pitch * POINT_BYTES};
    w->rotation.args.engine.pass =
        (struct pass_args){.roots = tables,
                           .from_stride = 1,
                           .to_stride = (uint64_t)n * n,
                           .axes = {{n, n, 1}, {n, (uint64_t)n * n, n}, {1, 0, 0}, {1, 0, 0}},
                           .n = n,
                           .scale = 1};
    return gpu_write(w->study->study->gpu, tables, roots,
                     cuda_form_twiddles_at(form, cuda_form_passes(form)) * POINT_BYTES);
}

/* ---- the table ----------------------------------------------------------------------------- */

/* Computes the error of plane k0 = 1 of the result, to which the whole box contributes. */
static int box_error(struct cuda_study *s, uint32_t n, uint64_t out, double *error)
{
    const size_t points = (size_t)n * n * n;
    struct fft_iq *in = malloc(points * sizeof *in), *got = malloc(points * sizeof *got);
    struct complex64 *row = calloc(n, sizeof *row), *sum = calloc((size_t)n * n, sizeof *sum);
    int err = in && got && row && sum ? 0 : -ENOMEM;
    double off = 0, all = 0;
    if (err == 0)
        err = gpu_read(s->study->gpu, in, s->from, points * sizeof *in);
    if (err == 0)
        err = gpu_read(s->study->gpu, got, out, points * sizeof *got);
    /* The expected plane: the box's sum along axis 0 at that frequency, then transforms of two
     * axes. */
    for (size_t z = 0; err == 0 && z < n; z++) {
        const double angle = -2 * acos(-1.0) * (double)z / n;
        const struct complex64 w = {cos(angle), sin(angle)};
        const struct fft_iq *plane = in + z * n * n;
        for (size_t i = 0; i < (size_t)n * n; i++) {
            sum[i].re += (double)plane[i].re * w.re - (double)plane[i].im * w.im;
            sum[i].im += (double)plane[i].re * w.im + (double)plane[i].im * w.re;
        }
    }
    for (uint32_t y = 0; err == 0 && y < n; y++)
        reference_dft(sum + (size_t)y * n, n, false);
    for (uint32_t x = 0; err == 0 && x < n; x++) {
        for (uint32_t y = 0; y < n; y++)
            row[y] = sum[(size_t)y * n + x];
        reference_dft(row, n, false);
        for (uint32_t y = 0; y < n; y++) {
            const struct fft_iq v = got[(size_t)n * n + (size_t)y * n + x];
            off += pow((double)v.re - row[y].re, 2) + pow((double)v.im - row[y].im, 2);
            all += row[y].re * row[y].re + row[y].im * row[y].im;
        }
    }
    *error = sqrt(off / all);
    free(sum);
    free(row);
    free(got);
    free(in);
    return err;
}

/* What the rows of one size share. Times are NaN until they are known. */
struct box_size {
    uint32_t n;
    double copied, cufft[2]; /* cuFFT: out of place, in place */
};

static int box_row(struct cuda_study *s, const struct box_size *size, const char *name,
                   uint32_t passes, const struct study_work *work, double *seconds)
{
    static const double allowed = 5e-7;
    double error = NAN;
    char text[12];
    int err = study_cuda_measure(s, work, seconds);
    if (err == 0)
        err = box_error(s, size->n, work->out, &error);
    snprintf(text, sizeof text, "%u", size->n);
    table_row(&s->study->tables,
              (struct cell[]){
                  CELL_TEXT(text), CELL_TEXT(name), passes ? CELL_NUMBER(passes, 2) : CELL_NONE,
                  CELL_NUMBER(1e3 * *seconds, 4),
                  CELL_NUMBER(passes ? 2e-9 * (double)work->bytes * passes / *seconds : NAN, 4),
                  CELL_NUMBER(100 * size->copied / *seconds, 3),
                  CELL_NUMBER(size->cufft[work->in_place] / *seconds, 3), CELL_NUMBER(error, 2)});
    study_cuda_judge(s, "box", name, error, allowed);
    return err;
}

static int cufft_rows(struct cuda_study *s, struct box_size *size)
{
    const uint32_t n = size->n;
    static const char *const names[] = {"cuFFT", "cuFFT, in place"};
    struct fft_transform_config plan = {.rank = 3, .n = {n, n, n}, .batch = 1};
    int err = 0;
    for (int i = 0; err == 0 && i < 2; i++) {
        struct study_other o;
        double seconds = NAN;
        plan.in_place = i;
        err = study_cufft_open(&o, s, &plan);
        if (err == 0)
            err = box_row(s, size, names[i], 0, &o.work, &seconds);
        size->cufft[i] = seconds;
    }
    return err;
}

/* Two passes where the engine joins the last two axes. */
static int engine_rows(struct cuda_study *s, const struct box_size *size)
{
    const uint32_t n = size->n;
    static const struct {
        const char *name;
        enum study_axes axes;
        bool in_place;
    } rows[] = {{"the engine, a pass an axis", STUDY_APART, false},
                {"the engine", STUDY_JOINED, false},
                {"the engine, in place", STUDY_JOINED, true}};
    struct fft_transform_config plan = {.rank = 3, .n = {n, n, n}, .batch = 1};
    int err = 0;
    const bool joins = study_engine_joins(s, &plan);
    for (int i = joins ? 0 : 1; err == 0 && i < 3; i++) {
        const bool joined = rows[i].axes == STUDY_JOINED && joins;
        struct study_other o;
        double seconds = NAN;
        plan.in_place = rows[i].in_place;
        err = study_engine_open(&o, s, &plan, rows[i].axes);
        if (err == 0)
            err = box_row(s, size, rows[i].name, joined ? 2 : 3, &o.work, &seconds);
        study_engine_close(&o);
    }
    return err;
}

static int chain_rows(struct cuda_study *s, const struct box_size *size, size_t bytes,
                      uint64_t tables)
{
    const uint32_t n = size->n;
    struct box_work w = {.study = s};
    struct study_work work = {chain_enqueue, &w, s->to, bytes, false};
    double seconds = NAN;
    int err = 0;
    for (size_t i = 0; err == 0 && n == STUDY_N && i < sizeof chains / sizeof chains[0]; i++) {
        w.chain = &chains[i];
        err = box_row(s, size, w.chain->name, count_steps(w.chain), &work, &seconds);
    }
    if (err < 0 || (n != 128 && n != 256)) /* the kernels' lengths; 512 would need a third array */
        return err;
    work.enqueue = rotation_enqueue;
    err = prepare_rotation(&w, n, tables);
    return err ? err : box_row(s, size, "rotation while storing", 3, &work, &seconds);
}

static int boxes_of(struct cuda_study *s, uint32_t n, uint64_t tables)
{
    struct box_size size = {n, NAN, {NAN, NAN}};
    const size_t bytes = (size_t)n * n * n * POINT_BYTES;
    int err = study_cuda_copy_seconds(s, bytes, &size.copied);
    if (err == 0 && s->study->cufft)
        err = cufft_rows(s, &size);
    if (err == 0)
        err = chain_rows(s, &size, bytes, tables);
    return err ? err : engine_rows(s, &size);
}

int study_cuda_box(struct cuda_study *s)
{
    static const char *const columns[] = {"n^3",          "way",      "passes", "ms", "GB/s moved",
                                          "of a copy, %", "to cuFFT", "error",  NULL};
    static const uint32_t sizes[] = {64, 96, 128, 160, 256, 512};
    const size_t count = s->study->options.quick ? 3 : sizeof sizes / sizeof sizes[0];
    uint64_t tables = 0;
    int err = gpu_alloc(s->study->gpu, &tables, (size_t)1024 * POINT_BYTES);
    table_open(&s->study->tables, "box",
               "Three transforms along the fastest axis, \"interspersed with 4 transpose "
               "kernels\". Future work: to merge the last two\n"
               "transpositions, and to compute the later axes' first stages in registers with H "
               "= 4 rows. The other rows need no\n"
               "transposition. A copy of the box is the least traffic of any method.",
               columns);
    for (size_t i = 0; err == 0 && i < count; i++)
        err = boxes_of(s, sizes[i], tables);
    gpu_free(s->study->gpu, tables);
    return err;
}
