/*
 * test_cuda_study.c - compares the kernels of the study, compiled for the CPU, with double
 * precision, and tests the rules of the document by Aatish and Zhang that they follow.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/cuda/emulate.h"
#include "fft/cuda/tables.h"
#include "fft/twiddle.h"
#include "kernels/cuda/study/args.h"
#include "reference/reference.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/engine/test_engines.h"

enum { N = STUDY_N, PLANE = N * N, POINT_BYTES = 8 };
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
    struct fft_iq *x = malloc(points * sizeof *x);
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
    const char *trouble = emulate_run(&l, args);
    if (trouble)
        fail_msg("%s: %s", kernel, trouble);
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

static void every_mapping_of_rows_to_threads_is_the_transform(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        uint32_t rows, threads, shared; /* of a block */
        bool fast;
    } kernels[] = {
        {"dit128_thread", 128, 128, 0, false},
        {"dit128_h1", 1, 128, 1 << 10, false},
        {"dit128_h2", 2, 128, 2 << 10, false},
        {"dit128_h4", 4, 128, 4 << 10, false},
        {"dit128_h8", 8, 128, 8 << 10, false},
        {"dit128_h16", 16, 128, 16 << 10, false},
        {"dit128_h32", 32, 128, 32 << 10, false},
        {"dit128_h4_fast", 4, 128, 4 << 10, true},
        {"dit128_h4_frequency", 4, 128, 4 << 10, false},
        {"dit128_h4_256", 8, 256, 8 << 10, false},
        {"dit128_h4_512", 16, 512, 16 << 10, false},
        {"dit128_h4_1024", 32, 1024, 32 << 10, false},
        {"dit128_shuffle_h1", 4, 128, 0, false},
        {"dit128_shuffle_h4", 16, 128, 0, false},
    };
    enum { ROWS = 5 };
    struct fft_iq *in = test_noise(FFT_IQ_CF32, ROWS * N, 3);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        struct fft_iq *out = poisoned((ROWS + 1) * N);
        const struct study_rows_args a = {(uintptr_t)in, (uintptr_t)out, (uintptr_t)roots, ROWS};
        launch("dit128", kernels[i].kernel, (ROWS + kernels[i].rows - 1) / kernels[i].rows, 1, 1,
               kernels[i].threads, kernels[i].shared, &a);
        check_rows(kernels[i].kernel, in, out, ROWS, kernels[i].fast ? fast_tolerance : tolerance);
        free(out);
    }
    free(in);
}

static void tiles_with_other_numbers_of_points_a_thread(void **state)
{
    (void)state;
    static const struct cuda_form forms[] = {{N, 4, {4, 4, 4, 2}, 16, 1, {"along128_e4"}},
                                             {N, 8, {8, 8, 2, 1}, 16, 1, {"along128_e8"}},
                                             {N, 16, {16, 8, 1, 1}, 16, 1, {"along128_e16"}},
                                             {N, 32, {32, 4, 1, 1}, 16, 1, {"along128_e32"}}};
    enum { ROWS = 21 };
    struct fft_iq *in = test_noise(FFT_IQ_CF32, ROWS * N, 4), table[2 * N];
    for (int i = 0; i < 4; i++) {
        struct fft_iq *out = poisoned((ROWS + 1) * N);
        const struct pass_args a = {.from = (uintptr_t)in,
                                    .to = (uintptr_t)out,
                                    .roots = (uintptr_t)table,
                                    .from_stride = 1,
                                    .to_stride = 1,
                                    .axes = {{ROWS, N, N}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}},
                                    .n = N};
        cuda_twiddles(&forms[i], table);
        launch("tiles", forms[i].names[0], 2, 1, 1, cuda_form_threads(&forms[i]),
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

/* Transforms one plane along both axes, or (transposed) along x only; [y][x] becomes [x][y]. */
static struct complex64 *plane_transform(const struct fft_iq *in, bool transposed)
{
    struct complex64 *x = widened(in, PLANE), *y = malloc(PLANE * sizeof *y);
    for (int i = 0; i < N; i++)
        reference_dft(x + i * N, N, false);
    for (int i = 0; i < PLANE; i++)
        y[i % N * N + i / N] = x[i];
    for (int i = 0; !transposed && i < N; i++)
        reference_dft(y + i * N, N, false);
    free(x);
    return y;
}

static void stages_of_the_next_axis_may_come_first(void **state)
{
    (void)state;
    struct fft_iq *in = test_noise(FFT_IQ_CF32, PLANE, 6);
    struct fft_iq *middle = poisoned(PLANE), *transposed = poisoned(PLANE), *out = poisoned(PLANE);
    const struct study_rows_args ahead = {(uintptr_t)in, (uintptr_t)middle, (uintptr_t)roots, N};
    const struct study_permute_args transpose = {.from = (uintptr_t)middle,
                                                 .to = (uintptr_t)transposed,
                                                 .n = {1, N, N},
                                                 .fast = 1,
                                                 .from_apart = {PLANE, N, 1},
                                                 .to_apart = {PLANE, 1, N}};
    const struct study_rows_args rest = {(uintptr_t)transposed, (uintptr_t)out, (uintptr_t)roots,
                                         N};
    launch("ahead128", "dit128_ahead", 32, 1, 1, N, 4 * N * POINT_BYTES, &ahead);
    launch("permute", "permute", 4, 4, 1, 256, 33 * 32 * POINT_BYTES, &transpose);
    launch("ahead128", "dit128_rest", N / 4, 1, 1, N, 4 * N * POINT_BYTES, &rest);
    struct complex64 *want = plane_transform(in, false);
    check("two axes", out, want, PLANE, tolerance);
    free(want);
    free(out);
    free(transposed);
    free(middle);
    free(in);
}

static void a_tile_transposes_while_it_transforms(void **state)
{
    (void)state;
    static const struct cuda_form form = {N, 16, {16, 8, 1, 1}, 32, 2, {"transpose_128"}};
    struct fft_iq *in = test_noise(FFT_IQ_CF32, PLANE, 7), *out = poisoned(PLANE), table[2 * N];
    const struct pass_args a = {.from = (uintptr_t)in,
                                .to = (uintptr_t)out,
                                .roots = (uintptr_t)table,
                                .from_stride = 1,
                                .to_stride = N,
                                .axes = {{N, N, 1}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}},
                                .n = N};
    cuda_twiddles(&form, table);
    launch("tiles", form.names[0], N / 32, 1, 1, cuda_form_threads(&form), 32 * 145 * POINT_BYTES,
           &a);
    struct complex64 *want = plane_transform(in, true);
    check("transpose_128", out, want, PLANE, tolerance);
    free(want);
    free(out);
    free(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mapping_of_rows_to_threads_is_the_transform),
        cmocka_unit_test(tiles_with_other_numbers_of_points_a_thread),
        cmocka_unit_test(every_order_of_axes_is_exact),
        cmocka_unit_test(stages_of_the_next_axis_may_come_first),
        cmocka_unit_test(a_tile_transposes_while_it_transforms),
    };
    return cmocka_run_group_tests(tests, make_roots, NULL);
}
