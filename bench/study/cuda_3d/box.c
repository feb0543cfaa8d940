/* box.c - the table of three-dimensional transforms: the document's seven passes, its future work,
 * the engine and cuFFT. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/study/cuda_3d/cuda_study.h"
#include "fft/cuda/tables.h"
#include "kernels/cuda/study/args.h"
#include "reference/reference.h"

enum { POINT_BYTES = sizeof(struct fft_iq), MOST_STEPS = 8 };

void study_permutation(struct study_permute_args *a, struct study_launch *l, uint32_t n,
                       const uint32_t order[3])
{
    const uint32_t apart[3] = {n * n, n, 1}, tiles = (n + STUDY_TILE - 1) / STUDY_TILE;
    const uint32_t wide = (n + STUDY_TILE * STUDY_TILE_ROWS - 1) / (STUDY_TILE * STUDY_TILE_ROWS);
    *a = (struct study_permute_args){.n = {n, n, n}, .fast = order[2]};
    for (int i = 0; i < 3; i++) {
        a->from_apart[i] = apart[i];
        a->to_apart[order[i]] = apart[i];
    }
    *l = (struct study_launch){.module = "permute",
                               .kernel = "permute",
                               .grid = {tiles, tiles, n},
                               .block = STUDY_TILE * STUDY_TILE_ROWS,
                               .shared = STUDY_TILE * (STUDY_TILE + 1) * POINT_BYTES,
                               .args = a};
    if (order[2] == 2) {
        l->grid[0] = wide;
        l->grid[1] = n;
    }
}

/* ---- chains of 128 ------------------------------------------------------------------------ */

/* One pass: a kernel on rows, with the rows of a block; or, without a kernel, a new order of the
 * axes. */
struct step {
    const char *module, *kernel;
    uint32_t rows, order[3];
};

#define ROWS                                                                                       \
    {                                                                                              \
        "dit128", "dit128_h4", 4,                                                                  \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define AHEAD                                                                                      \
    {                                                                                              \
        "ahead128", "dit128_ahead", 4,                                                             \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define REST                                                                                       \
    {                                                                                              \
        "ahead128", "dit128_rest", 4,                                                              \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define ORDER(...)                                                                                 \
    {                                                                                              \
        NULL, NULL, 0,                                                                             \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const struct chain {
    const char *name;
    struct step steps[MOST_STEPS];
} chains[] = {
    {"3 transforms, 4 transpositions",
     {ROWS, ORDER(0, 2, 1), ROWS, ORDER(2, 1, 0), ROWS, ORDER(0, 2, 1), ORDER(1, 0, 2)}},
    {"the last two merged", {ROWS, ORDER(0, 2, 1), ROWS, ORDER(2, 1, 0), ROWS, ORDER(2, 0, 1)}},
    {"and stages ahead in registers",
     {AHEAD, ORDER(0, 2, 1), REST, ORDER(2, 1, 0), ROWS, ORDER(2, 0, 1)}},
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
    struct fft_transform *transform; /* of the engine */
    struct fft_buffer *in, *out;
    struct pass_args rotation;
    struct study_launch rotation_launch;
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
        struct study_rows_args rows = {at, next, s->roots, STUDY_N * STUDY_N};
        struct study_permute_args permute;
        struct study_launch l = {.module = step->module,
                                 .kernel = step->kernel,
                                 .grid = {STUDY_N * STUDY_N / 4, 1, 1},
                                 .block = STUDY_N,
                                 .shared = 4 * STUDY_N * POINT_BYTES,
                                 .args = &rows};
        if (!step->kernel) {
            study_permutation(&permute, &l, STUDY_N, step->order);
            permute.from = at;
            permute.to = next;
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
        w->rotation.from = arrays[i];
        w->rotation.to = arrays[i + 1];
        err = study_launch(s, &w->rotation_launch);
    }
    return err;
}

static int prepare_rotation(struct box_work *w, uint32_t n, uint64_t tables)
{
    static const struct cuda_form forms[] = {{128, 16, {16, 8, 1, 1}, 32, 2, {"transpose_128"}},
                                             {256, 16, {16, 16, 1, 1}, 32, 2, {"transpose_256"}},
                                             {512, 32, {32, 16, 1, 1}, 16, 2, {"transpose_512"}}};
    const struct cuda_form *form = &forms[n / 256];
    const uint32_t padded = n + n / form->radix[0], pitch = (padded + 15) / 16 * 16 + 1;
    struct fft_iq roots[1024];
    cuda_twiddles(form, roots);
    w->rotation =
        (struct pass_args){.roots = tables,
                           .from_stride = 1,
                           .to_stride = (uint64_t)n * n,
                           .axes = {{n, n, 1}, {n, (uint64_t)n * n, n}, {1, 0, 0}, {1, 0, 0}},
                           .n = n};
    w->rotation_launch = (struct study_launch){.module = "tiles",
                                               .kernel = form->names[0],
                                               .grid = {n / form->rows * n, 1, 1},
                                               .block = cuda_form_threads(form),
                                               .shared = form->rows * pitch * POINT_BYTES,
                                               .args = &w->rotation};
    return gpu_write(w->study->study->gpu, tables, roots,
                     cuda_form_twiddles_at(form, cuda_form_passes(form)) * POINT_BYTES);
}

/* ---- the engine, cuFFT --------------------------------------------------------------------- */

static int engine_enqueue(void *user)
{
    const struct box_work *w = user;
    return fft_transform_execute_buffers(w->transform, w->in, w->out);
}

static int cufft_enqueue(void *user)
{
    const struct cuda_study *s = ((const struct box_work *)user)->study;
    return cufft_run(s->study->cufft, s->from, s->to);
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

static int box_row(struct cuda_study *s, struct box_work *w, uint32_t n, const char *name,
                   uint32_t passes, int (*enqueue)(void *user), double *cufft_s)
{
    static const float poison = NAN;
    const double moved = 2.0 * n * n * n * POINT_BYTES;
    double seconds = NAN, error = NAN;
    char text[12];
    uint64_t out = w->out && enqueue == engine_enqueue ? gpu_address(w->out) : s->to;
    int err = gpu_fill(s->study->gpu, s->to, s->bytes, &poison, sizeof poison);
    if (err == 0)
        err = enqueue(w);
    if (err == 0)
        err = fft_engine_wait(s->study->engine);
    if (err == 0)
        err = box_error(s, n, out, &error);
    if (err == 0)
        err = study_cuda_seconds(s, enqueue, w, &seconds);
    if (err == 0 && cufft_s && enqueue == cufft_enqueue)
        *cufft_s = seconds;
    snprintf(text, sizeof text, "%u", n);
    table_row(&s->study->tables,
              (struct cell[]){CELL_TEXT(text), CELL_TEXT(name),
                              passes ? CELL_NUMBER(passes, 2) : CELL_NONE,
                              CELL_NUMBER(1e3 * seconds, 4),
                              CELL_NUMBER(passes ? 1e-9 * moved * passes / seconds : NAN, 4),
                              CELL_NUMBER(*cufft_s / seconds, 3), CELL_NUMBER(error, 2)});
    return err;
}

static int engine_row(struct cuda_study *s, uint32_t n, double *cufft_s)
{
    const size_t bytes = (size_t)n * n * n * POINT_BYTES;
    const struct fft_transform_plan plan = {
        .rank = 3, .n = {n, n, n}, .batch = 1, .on_buffers = true};
    struct box_work w = {.study = s};
    int err = fft_buffer_create(&w.in, s->study->engine, bytes);
    if (err == 0)
        err = fft_buffer_create(&w.out, s->study->engine, bytes);
    if (err == 0)
        err = fft_transform_create(&w.transform, s->study->engine, &plan, NULL, 0);
    if (err == 0)
        err = gpu_copy(s->study->gpu, gpu_address(w.in), s->from, bytes);
    if (err == 0)
        err = gpu_wait(s->study->gpu);
    if (err == 0)
        err = box_row(s, &w, n, "the engine: strides, in place", 3, engine_enqueue, cufft_s);
    fft_transform_destroy(w.transform);
    fft_buffer_destroy(w.out);
    fft_buffer_destroy(w.in);
    return err;
}

static int boxes_of(struct cuda_study *s, uint32_t n, uint64_t tables)
{
    const struct fft_transform_plan plan = {.rank = 3, .n = {n, n, n}, .batch = 1};
    struct box_work w = {.study = s};
    double cufft_s = NAN;
    int err = s->study->cufft ? cufft_plan(s->study->cufft, &plan) : 0;
    if (err == 0 && s->study->cufft)
        err = box_row(s, &w, n, cufft_name(s->study->cufft), 0, cufft_enqueue, &cufft_s);
    for (size_t i = 0; err == 0 && n == STUDY_N && i < sizeof chains / sizeof chains[0]; i++) {
        w.chain = &chains[i];
        err = box_row(s, &w, n, w.chain->name, count_steps(w.chain), chain_enqueue, &cufft_s);
    }
    if (err == 0 && n < 512) { /* 512 would need a third array */
        err = prepare_rotation(&w, n, tables);
        if (err == 0)
            err = box_row(s, &w, n, "rotation while storing", 3, rotation_enqueue, &cufft_s);
    }
    return err ? err : engine_row(s, n, &cufft_s);
}

int study_cuda_box(struct cuda_study *s)
{
    static const char *const columns[] = {"n^3",        "way",      "passes", "ms",
                                          "GB/s moved", "to cuFFT", "error",  NULL};
    uint64_t tables = 0;
    int err = gpu_alloc(s->study->gpu, &tables, 1024 * POINT_BYTES);
    table_open(&s->study->tables, "box",
               "Three transforms along the fastest axis, \"interspersed with 4 transpose "
               "kernels\". Future work: to merge the last two\n"
               "transpositions, and to compute the next axis's first stages in registers with H "
               "= 4 rows. The other rows need no\n"
               "transposition.",
               columns);
    for (uint32_t n = 128; err == 0 && n <= (s->study->options.quick ? 128 : 512); n *= 2)
        err = boxes_of(s, n, tables);
    gpu_free(s->study->gpu, tables);
    return err;
}
