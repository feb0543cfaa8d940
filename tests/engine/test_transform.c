/*
 * test_transform.c - complex rank 1 transforms of every engine: all lengths, properties of the DFT.
 *
 * Errors are relative to double precision, in the L2 norm. transform_case.h defines the bounds.
 */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "fft/radix.h"
#include "tests/support/engine/transform_case.h"

enum { ALL_TO = 5040 };

/* Powers of each prime, mixtures of primes, small lengths and large ones. */
static const uint32_t lengths[] = {1,    2,    3,    4,     5,     7,     8,     12,   16,
                                   27,   32,   60,   64,    100,   125,   128,   243,  256,
                                   343,  420,  512,  625,   1000,  1024,  1536,  2048, 2401,
                                   4096, 5040, 8192, 10000, 16384, 19683, 32768, 0};

/* The first length at or after `at` that the engine supports. */
static const uint32_t *next_length(struct fft_engine *e, const uint32_t *at)
{
    for (; *at; at++) {
        if (!sweep_takes((unsigned)(at - lengths), 3))
            continue;
        const struct fft_transform_config plan = {.rank = 1, .n = {*at}, .batch = 1};
        if (test_engine_transforms(e, &plan))
            break;
    }
    return at;
}

static struct fft_iq *noise(uint32_t n, uint64_t seed)
{
    return test_noise(FFT_IQ_CF32, n, seed);
}

static double energy(const struct fft_iq *x, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (double)x[i].re * (double)x[i].re + (double)x[i].im * (double)x[i].im;
    return sum;
}

static void every_smooth_length_to_5040_matches_the_reference(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    uint32_t count = 0;
    for (uint32_t n = 1; n <= ALL_TO; n++) {
        if (!fft_radix_is_smooth(n))
            continue;
        struct fft_transform_config plan = {.rank = 1, .n = {n}, .batch = 1};
        plan.type = count % 2 ? FFT_TRANSFORM_INVERSE : FFT_TRANSFORM_FORWARD;
        plan.in_place = count % 4 / 2;
        if (sweep_takes(count++, 7))
            transform_conforms(e, &plan, transform_bound(e, n));
    }
    assert_int_equal(count, 266);
    fft_engine_close(e);
}

static void both_directions_work_in_and_out_of_place(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (const uint32_t *n = next_length(e, lengths); *n; n = next_length(e, n + 1))
        for (unsigned variant = 0; variant < 4; variant++) {
            const struct fft_transform_config plan = {.type = variant & 1 ? FFT_TRANSFORM_INVERSE
                                                                          : FFT_TRANSFORM_FORWARD,
                                                      .rank = 1,
                                                      .n = {*n},
                                                      .batch = 1,
                                                      .in_place = variant & 2};
            transform_conforms(e, &plan, transform_bound(e, *n));
        }
    fft_engine_close(e);
}

/* An impulse x[at] = 1 gives X[k] = w_n^(at k): this checks every root of unity and the sign. */
static void check_impulse(struct fft_engine *e, uint32_t n, uint32_t at)
{
    struct fft_iq *in = calloc(n, sizeof *in), *out = malloc(n * sizeof *out);
    struct complex64 *want = malloc(n * sizeof *want);
    in[at].re = 1;
    for (uint32_t k = 0; k < n; k++) {
        const double angle = -2 * M_PI * (double)((uint64_t)at * k % n) / n;
        want[k] = (struct complex64){cos(angle), sin(angle)};
    }
    transform_row(e, n, false, in, out);
    assert_near(transform_error(out, want, n), 0, transform_bound(e, n));
    for (uint32_t k = 0; k < n; k++)
        want[k].im = -want[k].im;
    transform_row(e, n, true, in, out);
    assert_near(transform_error(out, want, n), 0, transform_bound(e, n));
    free(want);
    free(out);
    free(in);
}

static void an_impulse_gives_a_root_of_unity_in_each_bin(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (const uint32_t *n = next_length(e, lengths); *n; n = next_length(e, n + 1)) {
        check_impulse(e, *n, 0);
        check_impulse(e, *n, *n > 1);
        check_impulse(e, *n, *n - 1);
        check_impulse(e, *n, *n / 3);
    }
    fft_engine_close(e);
}

/* y[j] = x[j + by] multiplies bin k by w_n^(-by k). */
static void a_shift_rotates_the_phases(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (const uint32_t *n = next_length(e, lengths); *n; n = next_length(e, n + 1)) {
        const uint32_t by = *n / 2 + 1;
        struct fft_iq *x = noise(*n, 7), *y = malloc(*n * sizeof *y);
        struct fft_iq *fx = malloc(*n * sizeof *fx), *fy = malloc(*n * sizeof *fy);
        struct complex64 *want = malloc(*n * sizeof *want);
        for (uint32_t j = 0; j < *n; j++)
            y[j] = x[(j + by) % *n];
        transform_row(e, *n, false, x, fx);
        transform_row(e, *n, false, y, fy);
        for (uint32_t k = 0; k < *n; k++) {
            const double angle = 2 * M_PI * (double)((uint64_t)by * k % *n) / *n;
            const double re = (double)fx[k].re, im = (double)fx[k].im;
            want[k] = (struct complex64){re * cos(angle) - im * sin(angle),
                                         re * sin(angle) + im * cos(angle)};
        }
        assert_near(transform_error(fy, want, *n), 0, 2 * transform_bound(e, *n));
        free(want);
        free(fy);
        free(fx);
        free(y);
        free(x);
    }
    fft_engine_close(e);
}

static void the_transform_is_linear(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (const uint32_t *n = next_length(e, lengths); *n; n = next_length(e, n + 1)) {
        struct fft_iq *x = noise(*n, 1), *y = noise(*n, 2), *z = malloc(*n * sizeof *z);
        struct fft_iq *fx = malloc(*n * sizeof *fx), *fy = malloc(*n * sizeof *fy);
        struct complex64 *want = malloc(*n * sizeof *want);
        transform_row(e, *n, false, x, fx);
        transform_row(e, *n, false, y, fy);
        for (uint32_t j = 0; j < *n; j++) { /* z = 2 x + i y */
            z[j] = (struct fft_iq){2 * x[j].re - y[j].im, 2 * x[j].im + y[j].re};
            want[j] = (struct complex64){2 * (double)fx[j].re - (double)fy[j].im,
                                         2 * (double)fx[j].im + (double)fy[j].re};
        }
        transform_row(e, *n, false, z, fx);
        assert_near(transform_error(fx, want, *n), 0, 2 * transform_bound(e, *n));
        free(want);
        free(fy);
        free(fx);
        free(z);
        free(y);
        free(x);
    }
    fft_engine_close(e);
}

static void forward_then_inverse_gives_n_times_the_input(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (const uint32_t *n = next_length(e, lengths); *n; n = next_length(e, n + 1)) {
        struct fft_iq *x = noise(*n, 3), *y = malloc(*n * sizeof *y);
        struct complex64 *want = malloc(*n * sizeof *want);
        const struct fft_transform_config back = {
            .type = FFT_TRANSFORM_INVERSE, .rank = 1, .n = {*n}, .batch = 1, .in_place = true};
        transform_row(e, *n, false, x, y);
        transform_run(e, &back, y, y);
        for (uint32_t j = 0; j < *n; j++)
            want[j] = (struct complex64){*n * (double)x[j].re, *n * (double)x[j].im};
        assert_near(transform_error(y, want, *n), 0, 2 * transform_bound(e, *n));
        free(want);
        free(y);
        free(x);
    }
    fft_engine_close(e);
}

/* sum |X|^2 = n sum |x|^2 (Parseval). */
static void the_energy_is_multiplied_by_n(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (const uint32_t *n = next_length(e, lengths); *n; n = next_length(e, n + 1)) {
        struct fft_iq *x = noise(*n, 4), *y = malloc(*n * sizeof *y);
        transform_row(e, *n, false, x, y);
        assert_near(energy(y, *n) / (*n * energy(x, *n)), 1, 2 * transform_bound(e, *n));
        free(y);
        free(x);
    }
    fft_engine_close(e);
}

/* A NaN or an infinity must not leak from one row of a batch into another. */
static void rows_of_a_batch_do_not_touch_each_other(void **state)
{
    enum { N = 256, ROWS = 37, BAD = 17 };
    struct fft_engine *e = test_engine_open(state);
    const struct fft_transform_config plan = {.rank = 1, .n = {N}, .batch = ROWS};
    skip_unless(e, test_engine_transforms(e, &plan));
    struct fft_iq *x = noise(N * ROWS, 6), *y = calloc(ROWS, N * sizeof *y), alone[N];
    x[BAD * N + 5].re = INFINITY;
    transform_run(e, &plan, x, y);
    for (size_t row = 0; row < ROWS; row++) {
        if (row == BAD)
            continue;
        struct complex64 want[N];
        transform_row(e, N, false, x + row * N, alone);
        for (uint32_t k = 0; k < N; k++)
            want[k] = (struct complex64){(double)alone[k].re, (double)alone[k].im};
        assert_near(transform_error(y + row * N, want, N), 0, 2 * transform_bound(e, N));
    }
    free(y);
    free(x);
    fft_engine_close(e);
}

static void the_same_input_gives_the_same_bytes(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (const uint32_t *n = next_length(e, lengths); *n; n = next_length(e, n + 1)) {
        struct fft_iq *x = noise(*n, 9), *y = malloc(*n * sizeof *y), *z = malloc(*n * sizeof *z);
        transform_row(e, *n, false, x, y);
        transform_row(e, *n, false, x, z);
        assert_memory_equal(y, z, *n * sizeof *y);
        free(z);
        free(y);
        free(x);
    }
    fft_engine_close(e);
}

static int run_transform_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(every_smooth_length_to_5040_matches_the_reference, state),
        cmocka_unit_test_prestate(both_directions_work_in_and_out_of_place, state),
        cmocka_unit_test_prestate(an_impulse_gives_a_root_of_unity_in_each_bin, state),
        cmocka_unit_test_prestate(a_shift_rotates_the_phases, state),
        cmocka_unit_test_prestate(the_transform_is_linear, state),
        cmocka_unit_test_prestate(forward_then_inverse_gives_n_times_the_input, state),
        cmocka_unit_test_prestate(the_energy_is_multiplied_by_n, state),
        cmocka_unit_test_prestate(rows_of_a_batch_do_not_touch_each_other, state),
        cmocka_unit_test_prestate(the_same_input_gives_the_same_bytes, state),
    };
    print_message("engine %s %s, %u threads\n", state->engine, state->isa ? state->isa : "",
                  state->threads);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return test_engine_each_transformer(run_transform_tests);
}
