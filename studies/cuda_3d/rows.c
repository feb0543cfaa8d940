/* rows.c - the table of rows of 128 points. */
#include <math.h>

#include "fft/cuda/cuda_tables.h"
#include "studies/cuda_3d/others.h"

enum { POINT_BYTES = sizeof(struct fft_iq), THREADS_SM = 2048 };

/* shared: bytes of shared memory; rows and threads of a block. */
static const struct variant {
    const char *name, *kernel;
    uint32_t rows, threads, shared;
    uint32_t points; /* of a thread in a tile; 0: the document's kernels */
    bool fast, in_place;
} variants[] = {
    {"a thread has a row", "dit128_thread", 128, 128, 0, 0, false, false},
    {"a block has a row, H = 1", "dit128_h1", 1, 128, 1 << 10, 0, false, false},
    {"H = 2", "dit128_h2", 2, 128, 2 << 10, 0, false, false},
    {"H = 4, the document's best", "dit128_h4", 4, 128, 4 << 10, 0, false, false},
    {"H = 8", "dit128_h8", 8, 128, 8 << 10, 0, false, false},
    {"H = 16", "dit128_h16", 16, 128, 16 << 10, 0, false, false},
    {"H = 32, more rows", "dit128_h32", 32, 128, 32 << 10, 0, false, false},
    {"H = 4, in place", "dit128_h4", 4, 128, 4 << 10, 0, false, true},
    {"H = 4, fast-math twiddles", "dit128_h4_fast", 4, 128, 4 << 10, 0, true, false},
    {"H = 4, decimation in frequency", "dit128_h4_frequency", 4, 128, 4 << 10, 0, false, false},
    {"H = 4, 256 threads", "dit128_h4_256", 8, 256, 8 << 10, 0, false, false},
    {"H = 4, 512 threads", "dit128_h4_512", 16, 512, 16 << 10, 0, false, false},
    {"H = 4, 1024 threads", "dit128_h4_1024", 32, 1024, 32 << 10, 0, false, false},
    {"H = 4, bound to 12 blocks", "dit128_h4_b12", 4, 128, 4 << 10, 0, false, false},
    {"H = 4, bound to 16 blocks", "dit128_h4_b16", 4, 128, 4 << 10, 0, false, false},
    {"H = 8, bound to 8 blocks", "dit128_h8_b8", 8, 128, 8 << 10, 0, false, false},
    {"H = 8, bound to 12 blocks", "dit128_h8_b12", 8, 128, 8 << 10, 0, false, false},
    {"H = 8, bound to 16 blocks", "dit128_h8_b16", 8, 128, 8 << 10, 0, false, false},
    {"H = 16, bound to 4 blocks", "dit128_h16_b4", 16, 128, 16 << 10, 0, false, false},
    {"H = 16, bound to 6 blocks", "dit128_h16_b6", 16, 128, 16 << 10, 0, false, false},
    {"H = 16, bound to 8 blocks", "dit128_h16_b8", 16, 128, 16 << 10, 0, false, false},
    {"H = 1, shuffles", "dit128_shuffle_h1", 4, 128, 0, 0, false, false},
    {"H = 4, shuffles", "dit128_shuffle_h4", 16, 128, 0, 0, false, false},
    {"4 points a thread", "along128_e4", 16, 512, 16 * (128 + 128 / 4) * POINT_BYTES, 4, false,
     false},
    {"8 points a thread", "along128_e8", 16, 256, 16 * (128 + 128 / 8) * POINT_BYTES, 8, false,
     false},
    {"16 points a thread", "along128_e16", 16, 128, 16 * (128 + 128 / 16) * POINT_BYTES, 16, false,
     false},
    {"32 points a thread", "along128_e32", 16, 64, 16 * (128 + 128 / 32) * POINT_BYTES, 32, false,
     false},
};

/* The tiles' radices, as in studies/cuda_3d/kernels/tiles.cu. */
static struct cuda_form form_of(uint32_t points)
{
    static const struct cuda_form forms[] = {{STUDY_N, 4, {4, 4, 4, 2}, 16, 1, 1, 1, {0}},
                                             {STUDY_N, 8, {8, 8, 2, 1}, 16, 1, 1, 1, {0}},
                                             {STUDY_N, 16, {16, 8, 1, 1}, 16, 1, 1, 1, {0}},
                                             {STUDY_N, 32, {32, 4, 1, 1}, 16, 1, 1, 1, {0}}};
    size_t i = 0;
    while (forms[i].points != points)
        i++;
    return forms[i];
}

struct rows_work {
    struct cuda_study *study;
    const struct variant *variant;
    struct study_launch launch;
};

static int rows_enqueue(void *user)
{
    const struct rows_work *w = user;
    return study_launch(w->study, &w->launch);
}

/* Few rows with --quick: the tests run it in an emulator. */
static size_t rows_bytes(const struct cuda_study *s)
{
    return s->study->options.quick ? (size_t)512 << 10 : s->bytes;
}

static int prepare_tile(struct rows_work *w, uint64_t from, uint32_t rows, uint32_t points,
                        uint64_t tables)
{
    struct fft_iq roots[STUDY_N * 2];
    const struct cuda_form form = form_of(points);
    w->launch.module = "tiles";
    w->launch.args.engine.pass =
        (struct pass_args){.from = from,
                           .to = w->study->to,
                           .roots = tables,
                           .from_stride = 1,
                           .to_stride = 1,
                           .axes = {{rows, STUDY_N, STUDY_N}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}},
                           .n = STUDY_N,
                           .scale = 1};
    cuda_twiddles(&form, roots);
    return gpu_write(w->study->study->gpu, tables, roots,
                     cuda_form_twiddles_at(&form, cuda_form_passes(&form)) * POINT_BYTES);
}

static int prepare(struct rows_work *w, const struct variant *v, uint64_t tables)
{
    struct cuda_study *s = w->study;
    const uint32_t rows = (uint32_t)(rows_bytes(s) / POINT_BYTES / STUDY_N);
    const uint64_t from = v->in_place ? s->to : s->from;
    w->variant = v;
    w->launch = (struct study_launch){.module = "dit128",
                                      .kernel = v->kernel,
                                      .grid = {(rows + v->rows - 1) / v->rows, 1, 1},
                                      .block = v->threads,
                                      .shared = v->shared};
    if (v->points)
        return prepare_tile(w, from, rows, v->points, tables);
    w->launch.args.rows = (struct study_rows_args){from, s->to, s->roots, rows, 0};
    return 0;
}

/* Computes the largest error of the first and the last rows. */
static int rows_error(struct cuda_study *s, uint64_t result, double *error)
{
    enum { CHECKED = 128 };
    static struct fft_iq in[CHECKED][STUDY_N], out[CHECKED][STUDY_N];
    const size_t arrays[] = {0, rows_bytes(s) - sizeof in};
    int err = 0;
    *error = 0;
    for (int i = 0; err == 0 && i < 2; i++) {
        err = gpu_read(s->study->gpu, in, s->from + arrays[i], sizeof in);
        if (err == 0)
            err = gpu_read(s->study->gpu, out, result + arrays[i], sizeof out);
        for (int row = 0; err == 0 && row < CHECKED; row++) {
            const double one = noise_transform_error(in[row], out[row], STUDY_N);
            *error = one > *error || isnan(one) ? one : *error;
        }
    }
    return err;
}

static struct cell known(int value)
{
    return value < 0 ? CELL_NONE : CELL_NUMBER(value, 5);
}

/* w: NULL for a library. cufft_s: by cuFFT, out of place and in place; set if `sets`. */
static int rows_line(struct cuda_study *s, const char *name, const struct rows_work *w,
                     const struct study_work *work, double *cufft_s, bool sets)
{
    static const double allowed = 5e-7, allowed_fast = 2e-6;
    const struct study_launch *l = w ? &w->launch : NULL;
    double seconds = NAN, error = NAN;
    int err = study_cuda_measure(s, work, &seconds);
    if (err == 0)
        err = rows_error(s, work->out, &error);
    if (err == 0 && sets)
        cufft_s[work->in_place] = seconds;
    const struct kernel_facts f = l ? study_facts(s, l) : (struct kernel_facts){-1, -1, -1};
    const double held = f.resident < 0 ? NAN : 100.0 * f.resident * l->block / THREADS_SM;
    table_row(
        &s->study->tables,
        (struct cell[]){CELL_TEXT(name), known(f.registers), known(f.local),
                        l ? CELL_NUMBER(l->shared, 6) : CELL_NONE, known(f.resident),
                        CELL_NUMBER(held, 3), CELL_NUMBER(2e-9 * (double)work->bytes / seconds, 4),
                        CELL_NUMBER(cufft_s[work->in_place] / seconds, 3), CELL_NUMBER(error, 2)});
    study_cuda_judge(s, "rows", name, error, w && w->variant->fast ? allowed_fast : allowed);
    return err;
}

static int variant_row(struct cuda_study *s, const struct variant *v, uint64_t tables,
                       double *cufft_s)
{
    struct rows_work w = {.study = s};
    const struct study_work work = {rows_enqueue, &w, s->to, rows_bytes(s), v->in_place};
    const int err = prepare(&w, v, tables);
    return err ? err : rows_line(s, v->name, &w, &work, cufft_s, false);
}

/* cuFFT and the engine, out of place and in place. */
static int library_rows(struct cuda_study *s, double *cufft_s)
{
    static const char *const names[][2] = {{"cuFFT", "cuFFT, in place"},
                                           {"the engine", "the engine, in place"}};
    struct fft_transform_config plan = {
        .rank = 1, .n = {STUDY_N}, .batch = (uint32_t)(rows_bytes(s) / POINT_BYTES / STUDY_N)};
    int err = 0;
    for (int i = 0; err == 0 && i < 4; i++) {
        const bool engine = i / 2 == 1;
        struct study_other o = {0};
        plan.in_place = i % 2;
        if (!engine && !s->study->cufft)
            continue;
        err =
            engine ? study_engine_open(&o, s, &plan, STUDY_JOINED) : study_cufft_open(&o, s, &plan);
        if (err == 0)
            err = rows_line(s, names[engine][i % 2], NULL, &o.work, cufft_s, !engine);
        study_engine_close(&o);
    }
    return err;
}

int study_cuda_rows(struct cuda_study *s)
{
    static const char *const columns[] = {"rows of 128", "registers",  "local, B",   "shared, B",
                                          "blocks",      "threads, %", "GB/s moved", "to cuFFT",
                                          "error",       NULL};
    double cufft_s[] = {NAN, NAN};
    uint64_t tables = 0;
    int err = gpu_alloc(s->study->gpu, &tables, (size_t)STUDY_N * 2 * POINT_BYTES);
    table_open(&s->study->tables, "rows",
               "Radix 2, decimation in time, a thread for each point, with three assignments of "
               "rows to threads; H rows a block.\n"
               "H = 4 was the best: larger H met the limits of shared memory and of 63 "
               "registers. Frequency \"would not differ\", more\n"
               "threads \"will do better\"; shuffles and more points a thread are the "
               "document's future work.",
               columns);
    if (err == 0)
        err = library_rows(s, cufft_s);
    for (size_t i = 0; err == 0 && i < sizeof variants / sizeof variants[0]; i++)
        err = variant_row(s, &variants[i], tables, cufft_s);
    gpu_free(s->study->gpu, tables);
    return err;
}
