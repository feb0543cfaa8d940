/* test_qpu_rank2.c - tests matrices on the qpu engine, whose QPUs store rows as columns. */
#include <stdlib.h>

#include "emulate/qpu/engine_emu.h"
#include "fft/qpu/qpu_launcher.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/engine/transform_case.h"

static struct fft_engine *open_emu(const char *name)
{
    const struct engine_ops *const alone[] = {&qpu_emu_engine_ops, NULL};
    const struct fft_engine_config config = {.name = name};
    char text[200];
    struct fft_engine *e;
    if (fft_engine_open_from(alone, &config, &e, (struct fft_reason){text, sizeof text}))
        fail_msg("%s", text);
    return e;
}

static void matrices_are_transformed_in_both_directions(void **state)
{
    (void)state;
    static const struct fft_transform_config plans[] = {
        {.rank = 2, .n = {256, 512}, .batch = 1},
        {.type = FFT_TRANSFORM_INVERSE, .rank = 2, .n = {512, 256}, .batch = 1, .in_place = true},
        {.type = FFT_TRANSFORM_INVERSE, .rank = 2, .n = {256, 256}, .batch = 2},
        {.rank = 2, .n = {256, 1024}, .batch = 1, .out = {{1, 260}, 0}},
    };
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct fft_engine *e = open_emu(i % 2 ? "qpu-emu:4" : "qpu-emu:1");
        const double error = transform_conforms(e, &plans[i], transform_bound_of(e, &plans[i]));
        assert_true(error > 0); /* zero: not transformed */
        fft_engine_close(e);
    }
}

static enum qpu_output output_of(struct fft_engine *e, struct engine_pass pass)
{
    char text[200];
    struct qpu_launcher launcher = {NULL};
    pass.engine = e;
    pass.priv = &launcher;
    assert_int_equal(e->ops->pass_init(&pass, (struct fft_reason){text, sizeof text}), 0);
    const enum qpu_output output = launcher.task.output;
    if (output == QPU_COLUMNS)
        assert_int_equal(launcher.max_frames % QPU_PLAN_ROWS, 0);
    e->ops->pass_finish(&pass);
    return output;
}

static void adjacent_rows_are_stored_as_columns(void **state)
{
    (void)state;
    struct fft_engine *e = open_emu("qpu-emu");
    struct engine_pass pass = {
        .n = 256, .from = 1, .to = 512, .rows = {{512, 256, 1}, {1, 0, 0}, {1, 0, 0}}};
    assert_int_equal(output_of(e, pass), QPU_COLUMNS);
    pass.rows[1] = pass.rows[0]; /* inside a batch */
    pass.rows[0] = (struct engine_rows){3, 131072, 131072};
    assert_int_equal(output_of(e, pass), QPU_COLUMNS);
    pass.rows[1].count = 15; /* fewer than a launch must have */
    assert_int_equal(output_of(e, pass), QPU_BINS);
    pass.rows[1] = (struct engine_rows){512, 256, 256};
    pass.to = 1;
    assert_int_equal(output_of(e, pass), QPU_BINS);
    fft_engine_close(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_transformed_in_both_directions),
        cmocka_unit_test(adjacent_rows_are_stored_as_columns),
    };
    return cmocka_run_group_tests_name("rank 2 on the emulated QPUs", tests, NULL, NULL);
}
