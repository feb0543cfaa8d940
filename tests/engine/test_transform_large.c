/*
 * test_transform_large.c - compares long transforms, to 2^24 points, with the double-precision
 * reference.
 *
 * Lengths to 2^20 run on every instruction set. Longer ones run once per engine, with the options
 * of "auto". With FFTD_TEST_ONLY_THREADS, a few lengths that threads share run instead.
 */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>

#include "tests/support/engine/transform_case.h"

static void check_lengths(struct fft_engine *e, const uint32_t *lengths)
{
    for (unsigned i = 0; lengths[i]; i++) {
        if (!sweep_takes(i, 3))
            continue;
        const struct fft_transform_config plan = {.type = i % 2 ? FFT_TRANSFORM_INVERSE
                                                                : FFT_TRANSFORM_FORWARD,
                                                  .rank = 1,
                                                  .n = {lengths[i]},
                                                  .batch = 1,
                                                  .in_place = i % 3 == 1};
        transform_conforms(e, &plan, transform_bound(e, lengths[i]));
    }
}

static void lengths_to_2_20_match_the_reference(void **state)
{
    static const uint32_t lengths[] = {8192,  16384,  32768,  65536,   131072,  262144, 524288,
                                       59049, 78125,  117649, 100000,  177147,  390625, 823543,
                                       9000,  162000, 414720, 1 << 20, 1000000, 0};
    struct fft_engine *e = test_engine_open(state);
    check_lengths(e, lengths);
    fft_engine_close(e);
}

static void lengths_to_2_24_match_the_reference(void **state)
{
    static const uint32_t lengths[] = {1 << 21, 4782969, 5764801, 10000000, 1 << 24, 0};
    struct fft_engine *e = test_engine_open(state);
    check_lengths(e, lengths);
    fft_engine_close(e);
}

static void long_real_and_multidimensional_transforms_match_the_reference(void **state)
{
    static const struct fft_transform_config plans[] = {
        {.type = FFT_TRANSFORM_R2C, .rank = 1, .n = {1 << 20}, .batch = 1},
        {.type = FFT_TRANSFORM_C2R, .rank = 1, .n = {1 << 20}, .batch = 1, .in_place = true},
        {.type = FFT_TRANSFORM_R2C, .rank = 1, .n = {531441}, .batch = 1},
        {.type = FFT_TRANSFORM_FORWARD, .rank = 2, .n = {1024, 1024}, .batch = 1},
        {.type = FFT_TRANSFORM_INVERSE,
         .rank = 3,
         .n = {128, 128, 64},
         .batch = 1,
         .in_place = true},
        {.type = FFT_TRANSFORM_R2C, .rank = 3, .n = {96, 100, 112}, .batch = 1},
    };
    struct fft_engine *e = test_engine_open(state);
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++)
        transform_conforms(e, &plans[i], transform_bound_of(e, &plans[i]));
    fft_engine_close(e);
}

static void lengths_that_threads_share_match_the_reference(void **state)
{
    static const uint32_t lengths[] = {16384, 131072, 100000, 177147, 1 << 20, 0};
    struct fft_engine *e = test_engine_open(state);
    check_lengths(e, lengths);
    fft_engine_close(e);
}

static int run_thread_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(lengths_that_threads_share_match_the_reference, state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

static int run_medium_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(lengths_to_2_20_match_the_reference, state),
    };
    if (state->threads > 1)
        return 0;
    print_message("engine %s %s\n", state->engine, state->isa ? state->isa : "");
    return cmocka_run_group_tests(tests, NULL, NULL);
}

static int run_longest_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(lengths_to_2_24_match_the_reference, state),
        cmocka_unit_test_prestate(long_real_and_multidimensional_transforms_match_the_reference,
                                  state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    if (test_engine_only_threads())
        return test_engine_each(run_thread_tests);
    return test_engine_each(run_medium_tests) + test_engine_each_once(run_longest_tests);
}
