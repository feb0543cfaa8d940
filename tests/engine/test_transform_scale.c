/*
 * test_transform_scale.c - scaled transforms of every engine: 1/N and 1/sqrt(N), every type and
 * rank.
 *
 * The lengths reach every way of an engine to compute the pass that scales: the general radix, rows
 * in the lanes, squares and splits of the cpu engine; tiles, planes, bulk copies, clusters, two
 * kernels and mixed radices of the cuda engine; real rows that are halved, whole, and gathered.
 */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "tests/support/engine/transform_case.h"

/* The rounding of the factor, and of the product. */
static const double rounding = 0x1p-23;

static const struct fft_transform_config shapes[] = {
    {.rank = 1, .n = {1}, .batch = 3},
    {.rank = 1, .n = {3}, .batch = 1},
    {.rank = 1, .n = {16}, .batch = 1},
    {.rank = 1, .n = {64}, .batch = 40},
    {.rank = 1, .n = {256}, .batch = 3},
    {.rank = 1, .n = {225}, .batch = 5},
    {.rank = 1, .n = {1000}, .batch = 2},
    {.rank = 1, .n = {4096}, .batch = 1},
    {.rank = 1, .n = {5040}, .batch = 1},
    {.rank = 1, .n = {16384}, .batch = 1},
    {.rank = 1, .n = {32768}, .batch = 1},
    {.rank = 1, .n = {1 << 17}, .batch = 1},
    {.rank = 2, .n = {12, 20}, .batch = 2},
    {.rank = 2, .n = {64, 64}, .batch = 2},
    {.rank = 2, .n = {128, 64}, .batch = 1},
    {.rank = 2, .n = {256, 256}, .batch = 1},
    {.rank = 3, .n = {8, 9, 10}, .batch = 2},
    {.rank = 3, .n = {16, 64, 64}, .batch = 1},
    /* Strided rows, and rows that are adjacent in memory. */
    {.rank = 1, .n = {120}, .batch = 3, .in = {{2}, 240}, .out = {{3}, 360}},
    {.rank = 1, .n = {128}, .batch = 48, .in = {{48}, 1}, .out = {{48}, 1}},
};

static const struct fft_transform_config *next_shape(const struct fft_transform_config *at)
{
    return at + 1 < shapes + sizeof shapes / sizeof shapes[0] ? at + 1 : NULL;
}

static bool is_packed(const struct fft_transform_config *p)
{
    return p->in.stride[0] == 0;
}

/* The reference and emulators take their time: fewer variants. */
static bool is_long(const struct fft_transform_config *p)
{
    return p->n[0] > 10000;
}

static bool is_real(const struct fft_transform_config *p)
{
    return p->type == FFT_TRANSFORM_R2C || p->type == FFT_TRANSFORM_C2R;
}

static void every_shape_type_and_scale_matches_the_reference(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    unsigned index = 0;
    for (const struct fft_transform_config *shape = shapes; shape; shape = next_shape(shape))
        for (unsigned variant = 0; variant < (is_long(shape) ? 4 : 16); variant++) {
            struct fft_transform_config plan = *shape;
            plan.type = (enum fft_transform_type)(variant % 4);
            plan.scale = variant & 4 ? FFT_TRANSFORM_BY_ROOT_N : FFT_TRANSFORM_BY_N;
            plan.in_place = variant & 8;
            if (!sweep_takes(index++, 3))
                continue;
            if (plan.in_place && !is_packed(shape) &&
                (is_real(&plan) || shape->in.batch != shape->out.batch))
                continue; /* layouts that do not agree */
            transform_conforms(e, &plan, transform_bound_of(e, &plan) + rounding);
        }
    fft_engine_close(e);
}

/* The elements of one packed side, out of place. */
static size_t elements(const struct fft_transform_config *p, bool halved)
{
    const uint32_t last = p->n[p->rank - 1];
    size_t all = p->batch;
    for (uint32_t i = 0; i < p->rank; i++)
        all *= p->n[i];
    return halved ? all / last * (last / 2 + 1) : all;
}

/* x[0] = 1 in each transform of the batch. */
static void check_impulse(struct fft_engine *e, const struct fft_transform_config *plan)
{
    const bool real = plan->type == FFT_TRANSFORM_R2C;
    const size_t in_count = elements(plan, false), out_count = elements(plan, real);
    float *in = calloc(in_count, real ? sizeof(float) : sizeof(struct fft_iq));
    struct fft_iq *out = malloc(out_count * sizeof *out);
    for (size_t row = 0; row < plan->batch; row++)
        in[row * (in_count / plan->batch) * (real ? 1 : 2)] = 1;
    transform_run(e, plan, in, out);
    for (size_t i = 0; i < out_count; i++) {
        assert_near((double)out[i].re / transform_scale(plan), 1, 1e-6);
        assert_near((double)out[i].im / transform_scale(plan), 0, 1e-6);
    }
    free(out);
    free(in);
}

static void an_impulse_gives_the_factor_in_each_bin(void **state)
{
    static const enum fft_transform_type types[] = {FFT_TRANSFORM_FORWARD, FFT_TRANSFORM_INVERSE,
                                                    FFT_TRANSFORM_R2C};
    struct fft_engine *e = test_engine_open(state);
    unsigned index = 0;
    for (const struct fft_transform_config *shape = shapes; shape; shape = next_shape(shape))
        for (unsigned variant = 0; variant < 9; variant++) {
            struct fft_transform_config plan = *shape;
            plan.type = types[variant % 3];
            plan.scale = (enum fft_transform_scale)(variant / 3);
            if (is_long(shape) && plan.scale != FFT_TRANSFORM_BY_N)
                continue;
            if (sweep_takes(index++, 4) && is_packed(shape) && test_engine_transforms(e, &plan))
                check_impulse(e, &plan);
        }
    fft_engine_close(e);
}

/* The scales of there and back, of which the product is 1/N. */
static const enum fft_transform_scale pairs[][2] = {
    {FFT_TRANSFORM_UNSCALED, FFT_TRANSFORM_BY_N},
    {FFT_TRANSFORM_BY_N, FFT_TRANSFORM_UNSCALED},
    {FFT_TRANSFORM_BY_ROOT_N, FFT_TRANSFORM_BY_ROOT_N},
};

static void check_round_trip(struct fft_engine *e, struct fft_transform_config *there,
                             struct fft_transform_config *back)
{
    const bool real = there->type == FFT_TRANSFORM_R2C;
    const size_t floats = elements(there, false) * (real ? 1 : 2);
    float *x = test_noise(FFT_IQ_CF32, (floats + 1) / 2, floats), *y = malloc(floats * sizeof *y);
    struct fft_iq *bins = malloc(elements(there, real) * sizeof *bins);
    double off = 0, all = 0;
    transform_run(e, there, x, bins);
    transform_run(e, back, bins, y);
    for (size_t i = 0; i < floats; i++) {
        off += pow((double)y[i] - (double)x[i], 2);
        all += pow((double)x[i], 2);
    }
    assert_near(sqrt(off / all), 0, 2 * (transform_bound_of(e, there) + rounding));
    free(bins);
    free(y);
    free(x);
}

static void there_and_back_gives_the_input(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    unsigned index = 0;
    for (const struct fft_transform_config *shape = shapes; shape; shape = next_shape(shape))
        for (unsigned variant = 0; variant < (is_long(shape) ? 2 : 6); variant++) {
            struct fft_transform_config there = *shape, back = *shape;
            there.type = variant % 2 ? FFT_TRANSFORM_R2C : FFT_TRANSFORM_FORWARD;
            back.type = variant % 2 ? FFT_TRANSFORM_C2R : FFT_TRANSFORM_INVERSE;
            there.scale = pairs[variant / 2][0];
            back.scale = pairs[variant / 2][1];
            if (sweep_takes(index++, 5) && is_packed(shape) && test_engine_transforms(e, &there) &&
                test_engine_transforms(e, &back))
                check_round_trip(e, &there, &back);
        }
    fft_engine_close(e);
}

static int run_scale_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(every_shape_type_and_scale_matches_the_reference, state),
        cmocka_unit_test_prestate(an_impulse_gives_the_factor_in_each_bin, state),
        cmocka_unit_test_prestate(there_and_back_gives_the_input, state),
    };
    print_message("engine %s %s, %u threads\n", state->engine, state->isa ? state->isa : "",
                  state->threads);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return test_engine_each_transformer(run_scale_tests);
}
