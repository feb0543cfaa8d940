/* test_transform_plan.c - impossible plans fail with a reason; engine errors are returned. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/engine/transform_case.h"

static struct fft_engine *open_cpu(void)
{
    const struct fft_engine_config config = {.name = "cpu", .threads = 1};
    struct fft_engine *e;
    assert_int_equal(fft_engine_open(&e, &config, NULL, 0), 0);
    return e;
}

struct refused {
    struct fft_transform_config plan;
    const char *why;
};

static const struct refused bad_shapes[] = {
    {{.type = (enum fft_transform_type)4, .rank = 1, .n = {8}, .batch = 1},
     "no such type of transform"},
    {{.scale = (enum fft_transform_scale)3, .rank = 1, .n = {8}, .batch = 1},
     "no such scale of a transform"},
    {{.rank = 0, .n = {8}, .batch = 1}, "rank 0 is not 1 .. 3"},
    {{.rank = 4, .n = {8, 8, 8}, .batch = 1}, "rank 4 is not 1 .. 3"},
    {{.rank = 1, .n = {8}}, "a batch needs at least one transform"},
    {{.rank = 1, .n = {0}, .batch = 1}, "length 0 is not a product of 2, 3, 5 and 7"},
    {{.rank = 1, .n = {11}, .batch = 1}, "length 11 is not a product of 2, 3, 5 and 7"},
    {{.rank = 2, .n = {8, 26}, .batch = 1}, "length 26 is not a product of 2, 3, 5 and 7"},
    {{.rank = 1, .n = {16777216 + 8}, .batch = 1},
     "length 16777224 is not a product of 2, 3, 5 and 7"},
    {{.rank = 1, .n = {1 << 25}, .batch = 1}, "more than 16777216 points in one transform"},
    {{.rank = 2, .n = {1 << 12, 1 << 13}, .batch = 1},
     "more than 16777216 points in one transform"},
    {{.rank = 3, .n = {1 << 12, 1 << 12, 16}, .batch = 1},
     "more than 134217728 points in one transform"},
    {{.rank = 3, .n = {1 << 25, 1, 1}, .batch = 1}, "more than 134217728 points in one transform"},
    {{.rank = 3, .n = {1U << 31, 1U << 31, 4}, .batch = 1},
     "more than 134217728 points in one transform"},
};

static const struct refused bad_layouts[] = {
    {{.rank = 1, .n = {8}, .batch = 2, .out = {{1}, 7}},
     "the output's elements overlap one another"},
    {{.rank = 2, .n = {8, 8}, .batch = 1, .out = {{7, 1}, 0}},
     "the output's elements overlap one another"},
    {{.rank = 1, .n = {8}, .batch = 2, .out = {{0}, 1}},
     "the output's elements overlap one another"},
    {{.type = FFT_TRANSFORM_R2C, .rank = 1, .n = {8}, .batch = 2, .out = {{1}, 4}},
     "the output's elements overlap one another"},
    {{.rank = 1, .n = {8}, .batch = 1, .in = {{(size_t)1 << 31}, 0}},
     "the input's strides are above 2^30"},
    {{.rank = 1, .n = {8}, .batch = 2, .in = {{1}, SIZE_MAX}},
     "the input's strides are above 2^30"},
    {{.rank = 1, .n = {8}, .batch = UINT32_MAX, .in = {{1}, 1 << 30}}, /* 2^65 bytes */
     "the input's elements do not fit into the address space"},
    {{.rank = 1, .n = {8}, .batch = 1, .in_place = true, .in = {{2}, 0}},
     "in place, the layouts of input and output must agree"},
    {{.type = FFT_TRANSFORM_R2C,
      .rank = 1,
      .n = {8},
      .batch = 2,
      .in_place = true,
      .in = {{1}, 8},
      .out = {{1}, 5}},
     "in place, the layouts of input and output must agree"},
    {{.type = FFT_TRANSFORM_C2R,
      .rank = 1,
      .n = {8},
      .batch = 2,
      .in_place = true,
      .in = {{1}, 4},
      .out = {{1}, 8}},
     "the input's elements overlap one another"},
};

static void check_refused(const struct refused *bad, size_t count)
{
    struct fft_engine *e = open_cpu();
    for (size_t i = 0; i < count; i++) {
        struct fft_transform *t = (struct fft_transform *)e;
        char why[100] = "";
        assert_int_equal(fft_transform_create(&t, e, &bad[i].plan, why, sizeof why), -EINVAL);
        assert_string_equal(why, bad[i].why);
        assert_null(t);
        assert_int_equal(fft_transform_create(&t, e, &bad[i].plan, NULL, 0), -EINVAL);
    }
    fft_engine_close(e);
}

static void impossible_lengths_are_refused_with_the_reason(void **state)
{
    (void)state;
    check_refused(bad_shapes, sizeof bad_shapes / sizeof bad_shapes[0]);
}

static void impossible_layouts_are_refused_with_the_reason(void **state)
{
    (void)state;
    check_refused(bad_layouts, sizeof bad_layouts / sizeof bad_layouts[0]);
}

static void arrays_that_do_not_fit_the_plan_are_refused(void **state)
{
    static struct fft_iq x[33];
    const struct fft_transform_config apart = {.rank = 1, .n = {16}, .batch = 1};
    const struct fft_transform_config in_place = {
        .rank = 1, .n = {16}, .batch = 1, .in_place = true};
    struct fft_engine *e = open_cpu();
    struct fft_transform *t;
    (void)state;
    assert_int_equal(fft_transform_create(&t, e, &apart, NULL, 0), 0);
    assert_int_equal(fft_transform_execute(t, x, x), -EINVAL);
    assert_int_equal(fft_transform_execute(t, x, x + 15), -EINVAL);
    assert_int_equal(fft_transform_execute(t, x + 15, x), -EINVAL);
    assert_int_equal(fft_transform_execute(t, NULL, x), -EINVAL);
    assert_int_equal(fft_transform_execute(t, x, NULL), -EINVAL);
    assert_int_equal(fft_transform_execute(t, (char *)x + 2, x + 17), -EINVAL);
    assert_int_equal(fft_transform_execute(t, x, x + 16), 0);
    assert_int_equal(fft_transform_execute(t, x + 16, x), 0);
    assert_int_equal(fft_transform_execute(t, (char *)x + 4, x + 17), 0);
    fft_transform_destroy(t);

    assert_int_equal(fft_transform_create(&t, e, &in_place, NULL, 0), 0);
    assert_int_equal(fft_transform_execute(t, x, x + 16), -EINVAL);
    assert_int_equal(fft_transform_execute(t, x, x), 0);
    fft_transform_destroy(t);
    fft_transform_destroy(NULL);
    fft_engine_close(e);
}

/* ---- engines that fail ------------------------------------------------------------------ */

static int passes_alive, init_result, run_result;

static int fake_pass_init(struct engine_pass *p, struct fft_reason why)
{
    assert_non_null(p->priv);
    passes_alive++;
    if (init_result == -ENOTSUP)
        fft_reason_set(why, "no rows of %u", p->n);
    return init_result;
}

static void fake_pass_finish(struct engine_pass *p)
{
    assert_non_null(p->priv);
    passes_alive--;
}

static int fake_pass_run(const struct engine_pass *p, struct fft_buffer *from,
                         struct fft_buffer *to)
{
    assert_ptr_equal(p->engine, from->engine);
    assert_ptr_equal(p->engine, to->engine);
    return run_result;
}

static struct engine_ops fake_ops = {.name = "fake",
                                     .pass_init = fake_pass_init,
                                     .pass_finish = fake_pass_finish,
                                     .pass_run = fake_pass_run};

static void an_engine_without_passes_has_no_transforms(void **state)
{
    static const struct engine_ops none = {.name = "none"};
    struct fft_engine e = {.ops = &none};
    const struct fft_transform_config plan = {.rank = 1, .n = {16}, .batch = 1};
    struct fft_transform *t;
    char why[100];
    (void)state;
    assert_int_equal(fft_transform_create(&t, &e, &plan, why, sizeof why), -ENOTSUP);
    assert_string_equal(why, "engine none has no transforms");
}

static void an_engines_error_is_returned_and_its_passes_are_freed(void **state)
{
    static struct fft_iq x[64 * 33], y[64 * 64];
    struct fft_engine e = {.ops = &fake_ops};
    (void)state;
    for (unsigned type = 0; type < FFT_TRANSFORM_TYPES; type++) {
        const struct fft_transform_config plan = {
            .type = (enum fft_transform_type)type, .rank = 3, .n = {4, 4, 4}, .batch = 1};
        struct fft_transform *t;
        char why[100];
        init_result = -ENOMEM;
        assert_int_equal(fft_transform_create(&t, &e, &plan, why, sizeof why), -ENOMEM);
        assert_string_equal(why, "fake: transform: Cannot allocate memory");
        assert_int_equal(passes_alive, 0);
        init_result = -ENOTSUP;
        assert_int_equal(fft_transform_create(&t, &e, &plan, why, sizeof why), -ENOTSUP);
        assert_string_equal(why, type == FFT_TRANSFORM_R2C ? "fake: transform: no rows of 2"
                                                           : "fake: transform: no rows of 4");
        assert_int_equal(passes_alive, 0);

        init_result = 0;
        assert_int_equal(fft_transform_create(&t, &e, &plan, why, sizeof why), 0);
        assert_int_equal(passes_alive, 3);
        run_result = -EIO;
        assert_int_equal(fft_transform_execute(t, x, y), -EIO);
        run_result = 0;
        assert_int_equal(fft_transform_execute(t, x, y), 0);
        fft_transform_destroy(t);
        assert_int_equal(passes_alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_lengths_are_refused_with_the_reason),
        cmocka_unit_test(impossible_layouts_are_refused_with_the_reason),
        cmocka_unit_test(arrays_that_do_not_fit_the_plan_are_refused),
        cmocka_unit_test(an_engine_without_passes_has_no_transforms),
        cmocka_unit_test(an_engines_error_is_returned_and_its_passes_are_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
