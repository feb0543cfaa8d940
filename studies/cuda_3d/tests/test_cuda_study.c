/*
 * test_cuda_study.c - compares the kernels of the study, compiled for the CPU, with double
 * precision, and counts what they store. test_cuda_rule.c tests the rules that they follow.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/cuda/emulate.h"
#include "fft/cuda/cuda_tables.h"
#include "fft/twiddle.h"
#include "reference/reference.h"
#include "studies/cuda_3d/kernels/args.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/engine/test_engines.h"

enum { N = STUDY_N, PLANE = N * N, POINT_BYTES = 8, SECTOR_BYTES = 32, STEP_BYTES = 128 };
static const double tolerance = 2e-7, fast_tolerance = 2e-6;

static struct fft_iq roots[N / 2];

static int make_roots(void **state)
{
    (void)state;
    for (uint32_t q = 0; q < N / 2; q++) {
        const struct root w = fft_twiddle(q, N);
        roots[q] = (struct fft_iq){(float)w.re, (float)w.im};
    }
    return 0;
}

static struct fft_iq *poisoned(size_t points)
{
    enum { ALIGN = 256 }; /* as the driver's memory */
    struct fft_iq *x = aligned_alloc(ALIGN, (points * sizeof *x + ALIGN - 1) / ALIGN * ALIGN);
    memset(x, 0xff, points * sizeof *x);
    return x;
}

static void launch(const char *module, const char *kernel, uint32_t x, uint32_t y, uint32_t z,
                   uint32_t block, uint32_t shared, const void *args)
{
    const struct cuda_launch l = {.module = module,
                                  .kernel = kernel,
                                  .grid = {x, y, z},
                                  .block = block,
                                  .cluster = 1,
                                  .shared = shared};
    const char *error = emulate_run(&l, args);
    if (error)
        fail_msg("%s: %s", kernel, error);
}

static struct complex64 *widened(const struct fft_iq *x, size_t count)
{
    struct complex64 *wide = malloc(count * sizeof *wide);
    for (size_t i = 0; i < count; i++)
        wide[i] = (struct complex64){(double)x[i].re, (double)x[i].im};
    return wide;
}

static void check(const char *what, const struct fft_iq *got, const struct complex64 *want,
                  size_t count, double allowed)
{
    double off = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        off += pow((double)got[i].re - want[i].re, 2) + pow((double)got[i].im - want[i].im, 2);
        all += pow(want[i].re, 2) + pow(want[i].im, 2);
    }
    if (!(sqrt(off / all) <= allowed))
        fail_msg("%s: error %g", what, sqrt(off / all));
}

/* ---- rows -------------------------------------------------------------------------------- */

static void check_rows(const char *what, const struct fft_iq *in, const struct fft_iq *out,
                       uint32_t rows, double allowed)
{
    struct complex64 *want = widened(in, (size_t)rows * N);
    for (uint32_t row = 0; row < rows; row++)
        reference_dft(want + (size_t)row * N, N, false);
    check(what, out, want, (size_t)rows * N, allowed);
    assert_true(isnan(out[(size_t)rows * N].re)); /* nothing after the rows */
    free(want);
}

/*
 * Enough rows for several blocks of any kernel, and a last block that is not full. `sectors` of 32
 * bytes are stored for each 32 bytes of points: 1 is a contiguous store.
 */
enum { MOST_BLOCK_ROWS = 128, ROWS = MOST_BLOCK_ROWS + 67 };

static const struct row_kernel {
    const char *kernel;
    uint32_t rows, threads, shared; /* of a block */
    uint64_t sectors;
    bool fast;
} row_kernels[] = {
    {"dit128_thread", 128, 128, 0, 4, false},
    {"dit128_h1", 1, 128, 1 << 10, 1, false},
    {"dit128_h2", 2, 128, 2 << 10, 1, false},
    {"dit128_h4", 4, 128, 4 << 10, 1, false},
    {"dit128_h8", 8, 128, 8 << 10, 1, false},
    {"dit128_h16", 16, 128, 16 << 10, 1, false},
    {"dit128_h32", 32, 128, 32 << 10, 1, false},
    {"dit128_h4_fast", 4, 128, 4 << 10, 1, true},
    {"dit128_h4_frequency", 4, 128, 4 << 10, 1, false},
    {"dit128_h4_256", 8, 256, 8 << 10, 1, false},
    {"dit128_h4_512", 16, 512, 16 << 10, 1, false},
    {"dit128_h4_1024", 32, 1024, 32 << 10, 1, false},
    {"dit128_h4_b12", 4, 128, 4 << 10, 1, false},
    {"dit128_h4_b16", 4, 128, 4 << 10, 1, false},
    {"dit128_h8_b8", 8, 128, 8 << 10, 1, false},
    {"dit128_h8_b12", 8, 128, 8 << 10, 1, false},
    {"dit128_h8_b16", 8, 128, 8 << 10, 1, false},
    {"dit128_h16_b4", 16, 128, 16 << 10, 1, false},
    {"dit128_h16_b6", 16, 128, 16 << 10, 1, false},
    {"dit128_h16_b8", 16, 128, 16 << 10, 1, false},
    {"dit128_shuffle_h1", 4, 128, 0, 4, false},
    {"dit128_shuffle_h4", 16, 128, 0, 4, false},
};

static void check_row_kernel(const struct row_kernel *k, const struct fft_iq *in,
                             struct fft_iq *out)
{
    const struct study_rows_args a = {(uintptr_t)in, (uintptr_t)out, (uintptr_t)roots, ROWS, 0};
    launch("dit128", k->kernel, (ROWS + k->rows - 1) / k->rows, 1, 1, k->threads, k->shared, &a);
    check_rows(k->kernel, in, out, ROWS, k->fast ? fast_tolerance : tolerance);
    const struct emulate_stores stores = emulate_last_stores();
    assert_int_equal(stores.block_bytes, (uint64_t)k->rows * N * POINT_BYTES);
    assert_int_equal(stores.bytes, (uint64_t)ROWS * N * POINT_BYTES);
    if (stores.sectors * SECTOR_BYTES != k->sectors * stores.bytes)
        fail_msg("%s: %g sectors per sector of points", k->kernel,
                 (double)stores.sectors * SECTOR_BYTES / (double)stores.bytes);
}

static void every_mapping_of_rows_to_threads_is_the_transform(void **state)
{
    (void)state;
    struct fft_iq *in = test_noise(FFT_IQ_CF32, ROWS * N, 3);
    for (size_t i = 0; i < sizeof row_kernels / sizeof row_kernels[0]; i++) {
        struct fft_iq *out = poisoned((ROWS + 1) * N);
        check_row_kernel(&row_kernels[i], in, out);
        free(out);
    }
    free(in);
}

/*
 * The document's rule in plain loops, in the same floats: what differs between the methods is which
 * element a twiddle multiplies, which one it is, and where it comes from. So each method has bits
 * of its own.
 */
struct method {
    bool in_frequency, computed; /* computed: by the cosine and the sine of a float */
};

static struct fft_iq times(struct fft_iq v, struct fft_iq w)
{
    return (struct fft_iq){fmaf(v.re, w.re, -v.im * w.im), fmaf(v.re, w.im, v.im * w.re)};
}

static struct fft_iq twiddle(const struct method *m, int q)
{
    const float angle = -6.2831853F / N * (float)q;
    return m->computed ? (struct fft_iq){cosf(angle), sinf(angle)} : roots[q];
}

/* The upper `count` bits of i, reversed. */
static int upper_reversed(int i, int count)
{
    int reversed = 0;
    for (int bit = 0; bit < count; bit++)
        reversed |= (i >> (STUDY_BITS - 1 - bit) & 1) << bit;
    return reversed;
}

static int exponent(const struct method *m, int i, int stage)
{
    return m->in_frequency ? i % (N >> stage) << (stage - 1)
                           : upper_reversed(i, stage) << (STUDY_BITS - 1 - stage);
}

static struct fft_iq model_element(const struct method *m, const struct fft_iq *v, int i, int stage)
{
    const int stride = N >> stage;
    const struct fft_iq own = v[i], other = v[i ^ stride];
    const bool low = i & stride;
    const struct fft_iq sum = low ? (struct fft_iq){other.re - own.re, other.im - own.im}
                                  : (struct fft_iq){own.re + other.re, own.im + other.im};
    if (stage == STUDY_BITS || !(m->in_frequency ? low : (i & stride / 2) != 0))
        return sum;
    return times(sum, twiddle(m, exponent(m, i, stage)));
}

static void model_row(const struct method *m, const struct fft_iq *in, struct fft_iq *out)
{
    struct fft_iq v[N], next[N];
    memcpy(v, in, sizeof v);
    for (int stage = 1; stage <= STUDY_BITS; stage++) {
        for (int i = 0; i < N; i++)
            next[i] = model_element(m, v, i, stage);
        memcpy(v, next, sizeof v);
    }
    for (int i = 0; i < N; i++)
        out[upper_reversed(i, STUDY_BITS)] = v[i];
}

static void model_rows(const struct method *m, const struct fft_iq *in, struct fft_iq *out)
{
    for (int row = 0; row < ROWS; row++)
        model_row(m, in + row * N, out + row * N);
}

static void a_kernel_has_the_bits_of_its_method(void **state)
{
    (void)state;
    static const struct method in_time = {false, false}, in_frequency = {true, false},
                               computed = {false, true};
    static const struct method *const methods[] = {&in_time, &in_frequency, &computed};
    struct fft_iq *in = test_noise(FFT_IQ_CF32, ROWS * N, 9), *want[3];
    for (int m = 0; m < 3; m++) {
        want[m] = poisoned((ROWS + 1) * N);
        model_rows(methods[m], in, want[m]);
        for (int other = 0; other < m; other++)
            assert_memory_not_equal(want[m], want[other], ROWS * N * sizeof *in);
    }
    for (size_t i = 0; i < sizeof row_kernels / sizeof row_kernels[0]; i++) {
        const struct row_kernel *k = &row_kernels[i];
        struct fft_iq *out = poisoned((ROWS + 1) * N);
        check_row_kernel(k, in, out);
        if (memcmp(out,
                   want[k->fast                          ? 2
                        : strstr(k->kernel, "frequency") ? 1
                                                         : 0],
                   ROWS * N * sizeof *in))
            fail_msg("%s: by another method", k->kernel);
        free(out);
    }
    for (int m = 0; m < 3; m++)
        free(want[m]);
    free(in);
}

static void tiles_with_other_numbers_of_points_a_thread(void **state)
{
    (void)state;
    static const struct cuda_form forms[] = {{N, 4, {4, 4, 4, 2}, 16, 1, 1, 1, {"along128_e4"}},
                                             {N, 8, {8, 8, 2, 1}, 16, 1, 1, 1, {"along128_e8"}},
                                             {N, 16, {16, 8, 1, 1}, 16, 1, 1, 1, {"along128_e16"}},
                                             {N, 32, {32, 4, 1, 1}, 16, 1, 1, 1, {"along128_e32"}}};
    struct fft_iq *in = test_noise(FFT_IQ_CF32, ROWS * N, 4), table[2 * N];
    for (int i = 0; i < 4; i++) {
        struct fft_iq *out = poisoned((ROWS + 1) * N);
        const struct pass_args a = {.from = (uintptr_t)in,
                                    .to = (uintptr_t)out,
                                    .roots = (uintptr_t)table,
                                    .from_stride = 1,
                                    .to_stride = 1,
                                    .axes = {{ROWS, N, N}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}},
                                    .n = N,
                                    .scale = 1};
        cuda_twiddles(&forms[i], table);
        launch("tiles", forms[i].names[0], (ROWS + 15) / 16, 1, 1, cuda_form_threads(&forms[i]),
               16 * (N + N / forms[i].radix[0]) * POINT_BYTES, &a);
        check_rows(forms[i].names[0], in, out, ROWS, tolerance);
        free(out);
    }
    free(in);
}

/* ---- boxes ------------------------------------------------------------------------------- */

static void every_order_of_axes_is_exact(void **state)
{
    (void)state;
    static const uint32_t n[3] = {3, 40, 70};
    static const uint32_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                          {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const uint32_t points = n[0] * n[1] * n[2];
    struct fft_iq *in = test_noise(FFT_IQ_CF32, points, 5);
    for (int o = 0; o < 6; o++) {
        const uint32_t *order = orders[o], fast = order[2], third = fast < 2 ? 1 - fast : 0;
        struct fft_iq *out = poisoned(points);
        struct study_permute_args a = {.from = (uintptr_t)in,
                                       .to = (uintptr_t)out,
                                       .n = {n[0], n[1], n[2]},
                                       .fast = fast,
                                       .from_apart = {n[1] * n[2], n[2], 1}};
        a.to_apart[order[2]] = 1;
        a.to_apart[order[1]] = n[order[2]];
        a.to_apart[order[0]] = n[order[1]] * n[order[2]];
        if (fast == 2)
            launch("permute", "permute", 1, n[1], n[0], 256, 33 * 32 * POINT_BYTES, &a);
        else
            launch("permute", "permute", 3, (n[fast] + 31) / 32, n[third], 256,
                   33 * 32 * POINT_BYTES, &a);
        for (uint32_t i = 0; i < points; i++) {
            const uint32_t x[3] = {i / n[2] / n[1], i / n[2] % n[1], i % n[2]};
            const uint32_t at = x[0] * a.to_apart[0] + x[1] * a.to_apart[1] + x[2] * a.to_apart[2];
            assert_memory_equal(&out[at], &in[i], sizeof *in);
        }
        free(out);
    }
    free(in);
}

/* Transforms the rows of one plane; [y][x] becomes [x][y]. */
static struct complex64 *transposed_rows(const struct fft_iq *in)
{
    struct complex64 *x = widened(in, PLANE), *y = malloc(PLANE * sizeof *y);
    for (int i = 0; i < N; i++)
        reference_dft(x + i * N, N, false);
    for (int i = 0; i < PLANE; i++)
        y[i % N * N + i / N] = x[i];
    free(x);
    return y;
}

/* `count` columns of n points, which are `count` apart. */
static void transform_columns(struct complex64 *x, uint32_t n, uint32_t count)
{
    struct complex64 line[N];
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t z = 0; z < n; z++)
            line[z] = x[z * count + i];
        reference_dft(line, n, false);
        for (uint32_t z = 0; z < n; z++)
            x[z * count + i] = line[z];
    }
}

/* A box [N][columns][N] along its first and last axis. */
static struct complex64 *box_transform(const struct fft_iq *in, uint32_t columns)
{
    struct complex64 *x = widened(in, (size_t)columns * PLANE);
    for (uint32_t row = 0; row < N * columns; row++)
        reference_dft(x + row * N, N, false);
    transform_columns(x, N, columns * N);
    return x;
}

/* Permutes [N][columns][N] to [N][columns][N] with the first and the last axis exchanged. */
static void exchange_axes(struct fft_iq *from, struct fft_iq *to, uint32_t columns)
{
    const struct study_permute_args a = {.from = (uintptr_t)from,
                                         .to = (uintptr_t)to,
                                         .n = {N, columns, N},
                                         .fast = 0,
                                         .from_apart = {columns * N, N, 1},
                                         .to_apart = {1, N, columns * N}};
    launch("permute", "permute", 4, 4, columns, 256, 33 * 32 * POINT_BYTES, &a);
    const struct emulate_stores stores = emulate_last_stores();
    assert_int_equal(stores.sectors * SECTOR_BYTES, stores.bytes);
    /* Each point enters the padded tile and leaves it, and no two meet in a bank. */
    const struct emulate_shared shared = emulate_last_shared();
    assert_int_equal(shared.bytes, 2 * stores.bytes);
    assert_int_equal(shared.steps * STEP_BYTES, shared.bytes);
}

/*
 * Stages of the other axis ahead, then the rest of them: the neighbours along that axis are
 * adjacent rows (columns = 1), or have other rows between them.
 */
static void check_ahead(uint32_t columns)
{
    const uint32_t points = columns * PLANE;
    struct fft_iq *in = test_noise(FFT_IQ_CF32, points, 6);
    struct fft_iq *middle = poisoned(points), *exchanged = poisoned(points),
                  *out = poisoned(points);
    const struct study_rows_args ahead = {(uintptr_t)in, (uintptr_t)middle, (uintptr_t)roots,
                                          N * columns, columns};
    const struct study_rows_args rest = {(uintptr_t)exchanged, (uintptr_t)out, (uintptr_t)roots,
                                         N * columns, 0};
    launch("ahead128", "dit128_ahead", 32 * columns, 1, 1, N, 4 * N * POINT_BYTES, &ahead);
    exchange_axes(middle, exchanged, columns);
    launch("ahead128", "dit128_rest", 32 * columns, 1, 1, N, 4 * N * POINT_BYTES, &rest);
    exchange_axes(out, exchanged, columns);
    struct complex64 *want = box_transform(in, columns);
    check("stages ahead", exchanged, want, points, tolerance);
    free(want);
    free(out);
    free(exchanged);
    free(middle);
    free(in);
}

static void stages_of_the_next_axis_may_come_first(void **state)
{
    (void)state;
    check_ahead(1);
    check_ahead(3);
}

/* The first two stages along rows were ahead; the others run with those of the next axis. */
static void stages_of_both_later_axes_may_come_first(void **state)
{
    (void)state;
    enum { COLUMNS = 2, POINTS = COLUMNS * PLANE };
    struct fft_iq *in = test_noise(FFT_IQ_CF32, POINTS, 8);
    struct fft_iq *a = poisoned(POINTS), *b = poisoned(POINTS);
    struct study_rows_args args = {(uintptr_t)in, (uintptr_t)a, (uintptr_t)roots, N * COLUMNS,
                                   COLUMNS};
    /* Axis 0 ahead while rows are transformed; then both exchange places: its rest runs with the
     * first stages of the other, which is transformed a second time. */
    launch("ahead128", "dit128_ahead", 32 * COLUMNS, 1, 1, N, 4 * N * POINT_BYTES, &args);
    exchange_axes(a, b, COLUMNS);
    args.from = (uintptr_t)b;
    launch("ahead128", "dit128_rest_ahead", 32 * COLUMNS, 1, 1, N, 4 * N * POINT_BYTES, &args);
    exchange_axes(a, b, COLUMNS);
    args.next_apart = 0;
    launch("ahead128", "dit128_rest", 32 * COLUMNS, 1, 1, N, 4 * N * POINT_BYTES, &args);
    struct complex64 *want = box_transform(in, COLUMNS);
    for (uint32_t row = 0; row < N * COLUMNS; row++)
        reference_dft(want + row * N, N, false);
    check("both axes ahead", a, want, POINTS, tolerance);
    free(want);
    free(b);
    free(a);
    free(in);
}

static void a_tile_transposes_while_it_transforms(void **state)
{
    (void)state;
    static const struct cuda_form form = {N, 16, {16, 8, 1, 1}, 32, 2, 1, 1, {"transpose_128"}};
    struct fft_iq *in = test_noise(FFT_IQ_CF32, PLANE, 7), *out = poisoned(PLANE), table[2 * N];
    const struct pass_args a = {.from = (uintptr_t)in,
                                .to = (uintptr_t)out,
                                .roots = (uintptr_t)table,
                                .from_stride = 1,
                                .to_stride = N,
                                .axes = {{N, N, 1}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}},
                                .n = N,
                                .scale = 1};
    cuda_twiddles(&form, table);
    launch("tiles", form.names[0], N / 32, 1, 1, cuda_form_threads(&form), 32 * 145 * POINT_BYTES,
           &a);
    struct complex64 *want = transposed_rows(in);
    check("transpose_128", out, want, PLANE, tolerance);
    free(want);
    free(out);
    free(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mapping_of_rows_to_threads_is_the_transform),
        cmocka_unit_test(a_kernel_has_the_bits_of_its_method),
        cmocka_unit_test(tiles_with_other_numbers_of_points_a_thread),
        cmocka_unit_test(every_order_of_axes_is_exact),
        cmocka_unit_test(stages_of_the_next_axis_may_come_first),
        cmocka_unit_test(stages_of_both_later_axes_may_come_first),
        cmocka_unit_test(a_tile_transposes_while_it_transforms),
    };
    return cmocka_run_group_tests(tests, make_roots, NULL);
}
