/*
 * test_cuda_planes.c - compares passes over two axes, their kernels compiled for the CPU, with
 * double precision.
 *
 * Tolerance: relative error of each plane in the L2 norm. Memory between and after the rows must
 * not change.
 */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cuda/batch.h"
#include "tests/support/cuda/passes.h"
#include "tests/support/engine/test_engines.h"

static const double tolerance = 2e-7;

/* Transforms a plane [rows][n] in double precision: its rows, then its columns. */
static void transform_plane(struct complex64 *x, uint32_t rows, uint32_t n, bool inverse)
{
    struct complex64 column[128];
    for (uint32_t y = 0; y < rows; y++)
        reference_dft(x + y * n, n, inverse);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t y = 0; y < rows; y++)
            column[y] = x[y * n + i];
        reference_dft(column, rows, inverse);
        for (uint32_t y = 0; y < rows; y++)
            x[y * n + i] = column[y];
    }
}

static void check_plane(const struct engine_pass *p, const struct fft_iq *in,
                        const struct fft_iq *out)
{
    const uint32_t rows = p->next.count;
    assert(p->n > 0);
    struct complex64 *want = malloc(rows * p->n * sizeof *want);
    double off = 0, all = 0;
    for (uint32_t i = 0; i < rows * p->n; i++) {
        const struct fft_iq x = in[i / p->n * p->next.from + i % p->n];
        want[i] = (struct complex64){(double)x.re, (double)x.im};
    }
    transform_plane(want, rows, p->n, p->inverse);
    for (uint32_t i = 0; i < rows * p->n; i++) {
        const struct fft_iq y = out[i / p->n * p->next.to + i % p->n];
        const double re = (double)p->scale * want[i].re, im = (double)p->scale * want[i].im;
        off += pow((double)y.re - re, 2) + pow((double)y.im - im, 2);
        all += re * re + im * im;
    }
    if (!(sqrt(off / all) <= tolerance))
        fail_msg("%u x %u: error %g", rows, p->n, sqrt(off / all));
    free(want);
}

static void run(const struct cuda_facts *facts, const struct engine_pass *pass,
                const struct fft_iq *in, struct fft_iq *out)
{
    struct cuda_pass p;
    assert_int_equal(cuda_pass_plan(&p, facts, pass), 0);
    assert_int_equal(p.kernel[0].family, FAMILY_PLANE);
    assert_int_equal(emulate_pass(&p, pass, in, out), 1);
}

/* `planes` planes, each row followed by a gap in the output. */
static struct engine_pass plane_pass(uint32_t rows, uint32_t n, uint32_t planes)
{
    return (struct engine_pass){.n = n,
                                .from = 1,
                                .to = 1,
                                .inverse = planes % 2,
                                .scale = planes % 2 ? 0.25F : 1,
                                .next = {rows, n, n + 3},
                                .rows = {{planes, rows * n, rows * (n + 3)}, {1, 0, 0}, {1, 0, 0}}};
}

static void conform_planes(const struct cuda_facts *facts, uint32_t rows, uint32_t n,
                           uint32_t planes)
{
    const struct engine_pass pass = plane_pass(rows, n, planes);
    const size_t points = (size_t)planes * rows * n, end = (size_t)planes * rows * (n + 3);
    struct fft_iq *in = test_noise(FFT_IQ_CF32, points, n), *out = malloc(end * sizeof *out);
    memset(out, 0xff, end * sizeof *out);
    run(facts, &pass, in, out);
    for (uint32_t i = 0; i < planes; i++)
        check_plane(&pass, in + i * pass.rows[0].from, out + i * pass.rows[0].to);
    for (size_t i = 0; i < end; i++)
        assert_int_equal(isnan(out[i].re), i % (n + 3) >= n);
    free(out);
    free(in);
}

static void both_axes_of_planes_in_one_pass(void **state)
{
    (void)state;
    struct cuda_facts one = cuda_h200;
    one.processors = 1; /* so that planes to come are asked for */
    for (uint32_t rows = 64; rows <= 128; rows *= 2)
        for (uint32_t n = 64; n <= 128; n *= 2) {
            conform_planes(&one, rows, n, 3);
            conform_planes(&cuda_h200, rows, n, 2);
        }
    conform_planes(&cuda_t4, 64, 64, 2);
}

static void planes_in_place_do_not_disturb_each_other(void **state)
{
    enum { ROWS = 128, N = 64, PLANES = 3 };
    struct engine_pass pass = plane_pass(ROWS, N, PLANES);
    struct fft_iq *in = test_noise(FFT_IQ_CF32, PLANES * ROWS * N, 5);
    struct fft_iq *x = malloc(PLANES * ROWS * N * sizeof *x);
    (void)state;
    memcpy(x, in, PLANES * ROWS * N * sizeof *x);
    pass.next.to = pass.next.from;
    pass.rows[0].to = pass.rows[0].from;
    run(&cuda_h200, &pass, x, x);
    for (uint32_t i = 0; i < PLANES; i++)
        check_plane(&pass, in + i * ROWS * N, x + i * ROWS * N);
    free(x);
    free(in);
}

/* A launch must fit its device: H200 has room for all planes, T4 (64 KiB) for the smallest. */
static void planes_that_do_not_fit_take_two_passes(void **state)
{
    const struct cuda_facts *devices[] = {&cuda_t4, &cuda_a100, &cuda_h200};
    const struct cuda_pass_memory memory = {1 << 20, 2 << 20, 3 << 20, 4 << 20};
    (void)state;
    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; d++)
        for (uint32_t i = 0; i < 4; i++) {
            const struct engine_pass pass = plane_pass(i & 1 ? 128 : 64, i & 2 ? 128 : 64, 1000);
            struct cuda_pass p;
            struct cuda_launch l;
            const bool fits = d > 0 || i == 0;
            assert_int_equal(cuda_pass_joins(devices[d], &pass), fits);
            assert_int_equal(cuda_pass_plan(&p, devices[d], &pass), fits ? 0 : -ENOTSUP);
            if (!fits)
                continue;
            assert_true(cuda_pass_launch(&p, &memory, 1000, 0, &l));
            assert_in_range(l.shared, 1, devices[d]->shared_block);
            assert_in_range(l.block, 1, 1024);
            assert_int_equal(l.grid[0], 1000);
            assert_int_equal(l.args.pass.ahead > 0, devices[d] == &cuda_h200);
        }
}

/* A plane that fills a multiprocessor: 16 of 128 x 128 leave most of an H200 idle. */
static void few_large_planes_take_two_passes(void **state)
{
    struct engine_pass p = plane_pass(128, 128, 16);
    (void)state;
    assert_false(cuda_pass_joins(&cuda_h200, &p));
    p.rows[1] = (struct engine_rows){8, 1 << 22, 1 << 22};
    assert_true(cuda_pass_joins(&cuda_h200, &p));
    p = plane_pass(64, 64, 1);
    assert_true(cuda_pass_joins(&cuda_h200, &p));
}

/* Only planes with contiguous rows, of complex points, in the lengths that have kernels. */
static void other_planes_take_two_passes(void **state)
{
    const struct engine_pass plane = plane_pass(64, 64, 1000);
    struct engine_pass p = plane;
    (void)state;
    assert_true(cuda_pass_joins(&cuda_h200, &p));
    p.to = 64;
    assert_false(cuda_pass_joins(&cuda_h200, &p));
    p = plane;
    p.from = 2;
    assert_false(cuda_pass_joins(&cuda_h200, &p));
    p = plane;
    p.next.count = 256;
    assert_false(cuda_pass_joins(&cuda_h200, &p));
    p = plane;
    p.n = 100;
    assert_false(cuda_pass_joins(&cuda_h200, &p));
    p = plane;
    p.kind = PASS_R2C;
    assert_false(cuda_pass_joins(&cuda_h200, &p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_axes_of_planes_in_one_pass),
        cmocka_unit_test(planes_in_place_do_not_disturb_each_other),
        cmocka_unit_test(planes_that_do_not_fit_take_two_passes),
        cmocka_unit_test(few_large_planes_take_two_passes),
        cmocka_unit_test(other_planes_take_two_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
