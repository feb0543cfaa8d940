/*
 * test_transform_layout.c - checks transforms of every type and rank: strided, batched, in and out
 * of place.
 */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>

#include "fft/radix.h"
#include "tests/support/engine/transform_case.h"

/* Checks every type, in and out of place. */
static void check_all_types(struct fft_engine *e, const struct fft_transform_config *shape)
{
    static unsigned index; /* a sparse sweep takes other types of the next shape */
    struct fft_transform_config plan = *shape;
    for (unsigned type = 0; type < FFT_TRANSFORM_TYPES; type++)
        for (unsigned in_place = 0; in_place < 2; in_place++) {
            if (!sweep_takes(index++, 5))
                continue;
            plan.type = (enum fft_transform_type)type;
            plan.in_place = in_place;
            transform_conforms(e, &plan, transform_bound_of(e, &plan));
        }
}

static void real_rows_of_any_length_match_the_reference(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    unsigned index = 0;
    for (uint32_t n = 1; n <= 5040; n++) {
        if (!fft_radix_is_smooth(n) || (n > 500 && n % 7 != 0) || !sweep_takes(index++, 5))
            continue;
        struct fft_transform_config plan = {.rank = 1, .n = {n}, .batch = 1};
        for (unsigned variant = 0; variant < 4; variant++) {
            plan.type = variant & 1 ? FFT_TRANSFORM_C2R : FFT_TRANSFORM_R2C;
            plan.in_place = variant & 2;
            transform_conforms(e, &plan, transform_bound_of(e, &plan));
        }
    }
    fft_engine_close(e);
}

static void rank_2_and_3_match_the_reference(void **state)
{
    static const struct fft_transform_config shapes[] = {
        {.rank = 2, .n = {1, 1}, .batch = 1},       {.rank = 2, .n = {1, 12}, .batch = 1},
        {.rank = 2, .n = {12, 1}, .batch = 1},      {.rank = 2, .n = {2, 2}, .batch = 3},
        {.rank = 2, .n = {16, 16}, .batch = 1},     {.rank = 2, .n = {30, 7}, .batch = 2},
        {.rank = 2, .n = {7, 30}, .batch = 2},      {.rank = 2, .n = {64, 128}, .batch = 1},
        {.rank = 2, .n = {100, 60}, .batch = 1},    {.rank = 2, .n = {256, 256}, .batch = 1},
        {.rank = 2, .n = {5, 4096}, .batch = 1},    {.rank = 2, .n = {4096, 3}, .batch = 1},
        {.rank = 3, .n = {1, 1, 8}, .batch = 1},    {.rank = 3, .n = {8, 1, 1}, .batch = 1},
        {.rank = 3, .n = {2, 3, 5}, .batch = 7},    {.rank = 3, .n = {16, 16, 16}, .batch = 1},
        {.rank = 3, .n = {32, 32, 32}, .batch = 1}, {.rank = 3, .n = {21, 10, 9}, .batch = 2},
        {.rank = 3, .n = {9, 10, 21}, .batch = 2},  {.rank = 3, .n = {64, 5, 48}, .batch = 1},
        {.rank = 2, .n = {64, 64}, .batch = 3},     {.rank = 3, .n = {2, 64, 64}, .batch = 2},
    };
    struct fft_engine *e = test_engine_open(state);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        check_all_types(e, &shapes[i]);
    fft_engine_close(e);
}

static void batches_of_any_size_match_the_reference(void **state)
{
    static const uint32_t lengths[] = {1, 2, 5, 16, 60, 64, 128, 256, 343, 1024};
    static const uint32_t batches[] = {2, 3, 15, 16, 17, 33, 100};
    struct fft_engine *e = test_engine_open(state);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (size_t j = 0; j < sizeof batches / sizeof batches[0]; j++) {
            const struct fft_transform_config plan = {
                .rank = 1, .n = {lengths[i]}, .batch = batches[j]};
            check_all_types(e, &plan);
        }
    fft_engine_close(e);
}

/*
 * Transposed, spread, interleaved and padded layouts, and batches as the innermost axis. Each row
 * gives {stride, batch} of the input, then of the output.
 */
static void strides_of_any_kind_match_the_reference(void **state)
{
    static const struct fft_transform_config shapes[] = {
        {.rank = 1, .n = {60}, .batch = 1, .in = {{3}, 0}, .out = {{2}, 0}},
        {.rank = 1, .n = {60}, .batch = 20, .in = {{20}, 1}, .out = {{1}, 64}},
        {.rank = 1, .n = {60}, .batch = 20, .in = {{1}, 60}, .out = {{20}, 1}},
        {.rank = 1, .n = {64}, .batch = 7, .in = {{1}, 67}, .out = {{1}, 66}},
        {.rank = 1, .n = {128}, .batch = 7, .in = {{1}, 131}, .out = {{2}, 257}},
        {.rank = 1, .n = {256}, .batch = 17, .in = {{17}, 1}, .out = {{19}, 1}},
        {.rank = 1, .n = {512}, .batch = 5, .in = {{5}, 1}, .out = {{2}, 1100}},
        {.rank = 1, .n = {1024}, .batch = 3, .in = {{2}, 2049}, .out = {{3}, 1}},
        {.rank = 2, .n = {12, 20}, .batch = 2, .in = {{1, 12}, 250}, .out = {{25, 1}, 300}},
        {.rank = 2, .n = {16, 32}, .batch = 3, .in = {{96, 3}, 1}, .out = {{1, 16}, 600}},
        {.rank = 2, .n = {64, 32}, .batch = 1, .in = {{1, 64}, 0}, .out = {{1, 64}, 0}},
        {.rank = 2, .n = {64, 64}, .batch = 3, .in = {{67, 1}, 4301}, .out = {{192, 1}, 64}},
        {.rank = 2, .n = {128, 64}, .batch = 2, .in = {{64, 1}, 8192}, .out = {{1, 128}, 8192}},
        {.rank = 3,
         .n = {3, 64, 64},
         .batch = 2,
         .in = {{64, 192, 1}, 12288},
         .out = {{4097, 64, 1}, 12291}},
        {.rank = 3,
         .n = {6, 10, 14},
         .batch = 2,
         .in = {{1, 6, 60}, 840},
         .out = {{150, 15, 1}, 900}},
        {.rank = 3,
         .n = {16, 8, 4},
         .batch = 2,
         .in = {{4, 64, 1}, 512},
         .out = {{1, 16, 128}, 512}},
    };
    struct fft_engine *e = test_engine_open(state);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (unsigned type = 0; type < FFT_TRANSFORM_TYPES; type++) {
            struct fft_transform_config plan = shapes[i];
            plan.type = (enum fft_transform_type)type;
            transform_conforms(e, &plan, transform_bound_of(e, &plan));
        }
    fft_engine_close(e);
}

static void strides_work_in_place(void **state)
{
    static const struct fft_transform_config complex[] = {
        {.rank = 1, .n = {60}, .batch = 1, .in = {{3}, 0}, .out = {{3}, 0}},
        {.rank = 1, .n = {60}, .batch = 20, .in = {{20}, 1}, .out = {{20}, 1}},
        {.rank = 1, .n = {1024}, .batch = 2, .in = {{2}, 1}, .out = {{2}, 1}},
        {.rank = 2, .n = {12, 20}, .batch = 2, .in = {{1, 12}, 250}, .out = {{1, 12}, 250}},
        {.rank = 3,
         .n = {6, 10, 14},
         .batch = 2,
         .in = {{1, 6, 60}, 900},
         .out = {{1, 6, 60}, 900}},
    };
    /* Layouts of an r2c: reals in, spectrum out. */
    static const struct fft_transform_config real[] = {
        {.rank = 1, .n = {60}, .batch = 20, .in = {{1}, 80}, .out = {{1}, 40}},
        {.rank = 2, .n = {12, 20}, .batch = 2, .in = {{30, 1}, 400}, .out = {{15, 1}, 200}},
        {.rank = 2, .n = {12, 15}, .batch = 3, .in = {{60, 1}, 20}, .out = {{30, 1}, 10}},
    };
    struct fft_engine *e = test_engine_open(state);
    for (size_t i = 0; i < sizeof complex / sizeof complex[0]; i++)
        for (unsigned inverse = 0; inverse < 2; inverse++) {
            struct fft_transform_config plan = complex[i];
            plan.type = inverse ? FFT_TRANSFORM_INVERSE : FFT_TRANSFORM_FORWARD;
            plan.in_place = true;
            transform_conforms(e, &plan, transform_bound_of(e, &plan));
        }
    for (size_t i = 0; i < sizeof real / sizeof real[0]; i++) {
        struct fft_transform_config plan = real[i];
        plan.type = FFT_TRANSFORM_R2C;
        plan.in_place = true;
        transform_conforms(e, &plan, transform_bound_of(e, &plan));
        plan.type = FFT_TRANSFORM_C2R;
        plan.in = real[i].out;
        plan.out = real[i].in;
        transform_conforms(e, &plan, transform_bound_of(e, &plan));
    }
    fft_engine_close(e);
}

/* The rows overlap, as in a spectrogram: the batch stride is the hop. */
static void an_input_may_overlap_itself(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    const struct fft_transform_config plan = {
        .rank = 1, .n = {128}, .batch = 40, .in = {{1}, 32}, .out = {{1}, 128}};
    transform_conforms(e, &plan, transform_bound_of(e, &plan));
    fft_engine_close(e);
}

static int run_layout_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(real_rows_of_any_length_match_the_reference, state),
        cmocka_unit_test_prestate(rank_2_and_3_match_the_reference, state),
        cmocka_unit_test_prestate(batches_of_any_size_match_the_reference, state),
        cmocka_unit_test_prestate(strides_of_any_kind_match_the_reference, state),
        cmocka_unit_test_prestate(strides_work_in_place, state),
        cmocka_unit_test_prestate(an_input_may_overlap_itself, state),
    };
    print_message("engine %s %s, %u threads\n", state->engine, state->isa ? state->isa : "",
                  state->threads);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return test_engine_each_transformer(run_layout_tests);
}
