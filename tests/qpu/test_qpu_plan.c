/* test_qpu_plan.c - tests the planner's results against the rules that define them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fft/qpu/qpu_isa.h"
#include "fft/qpu/qpu_plan.h"
#include "tests/support/cmocka_all.h"

static int plan_bins(struct qpu_plan *plan, uint32_t log2_n, uint32_t frames)
{
    return qpu_plan_init(plan, &(struct qpu_task){.log2_n = log2_n, .frames = frames});
}

static int plan_passes(struct qpu_plan *plan, const uint8_t *bits)
{
    struct qpu_task task = {.frames = 1};
    for (int p = 0; p < QPU_PLAN_PASSES && bits[p]; p++)
        task.log2_n += bits[p];
    return qpu_plan_init_passes(plan, &task, bits);
}

static void lengths_outside_the_program_are_refused(void **state)
{
    (void)state;
    struct qpu_plan plan;
    assert_int_equal(plan_bins(&plan, 7, 1), -EINVAL);
    assert_int_equal(plan_bins(&plan, 23, 1), -EINVAL);
    assert_int_equal(plan_bins(&plan, 8, 0), -EINVAL);
    assert_int_equal(plan_passes(&plan, (const uint8_t[]){4, 3, 0}), -EINVAL);
    assert_int_equal(plan_passes(&plan, (const uint8_t[]){6, 0}), -EINVAL);
    assert_int_equal(plan_passes(&plan, (const uint8_t[]){6, 6, 6, 6}), -EINVAL);
}

static void passes_make_up_the_length_and_hold_twiddles_for_whole_steps(void **state)
{
    (void)state;
    for (uint32_t log2_n = QPU_PLAN_MIN_LOG2; log2_n <= QPU_PLAN_MAX_LOG2; log2_n++) {
        struct qpu_plan plan;
        uint32_t done = 0;
        assert_int_equal(plan_bins(&plan, log2_n, 1), 0);
        for (uint32_t p = 0; p < plan.passes; p++) {
            const struct qpu_plan_pass *pass = &plan.pass[p];
            assert_int_equal(pass->done, done);
            done += pass->bits;
            assert_int_equal(pass->left, log2_n - done);
            assert_int_equal((pass->steps * 8) << pass->bits, 1u << log2_n);
            assert_int_equal(pass->steps % 2, 0); /* they come in pairs */
            if (p > 0 && pass->left)
                assert_true(1u << pass->left >= 2 * 8);
        }
        assert_int_equal(done, log2_n);
        assert_int_equal(qpu_plan_in_place(&plan), plan.passes % 2 == 0);
    }
}

static void only_forward_transforms_have_windows_and_powers(void **state)
{
    (void)state;
    struct qpu_plan plan;
    struct qpu_task task = {.log2_n = 10, .frames = 1, .output = QPU_POWERS};
    assert_int_equal(qpu_plan_init(&plan, &task), 0);
    task.inverse = true;
    assert_int_equal(qpu_plan_init(&plan, &task), -EINVAL);
    task.output = QPU_SUM;
    assert_int_equal(qpu_plan_init(&plan, &task), -EINVAL);
    task = (struct qpu_task){.log2_n = 10, .frames = 1, .windowed = true};
    assert_int_equal(qpu_plan_init(&plan, &task), 0);
    task.inverse = true;
    assert_int_equal(qpu_plan_init(&plan, &task), -EINVAL);
}

/* A step has eight rows, and steps come in pairs. */
static void the_number_of_rows_is_a_multiple_of_sixteen(void **state)
{
    (void)state;
    struct qpu_plan plan;
    struct qpu_task task = {.log2_n = 8, .frames = 32, .output = QPU_COLUMNS};
    assert_int_equal(qpu_plan_init(&plan, &task), 0);
    task.frames = 24;
    assert_int_equal(qpu_plan_init(&plan, &task), -EINVAL);
}

/* The bits of the passes must add up to the requested length. */
static void a_structure_of_another_length_is_refused(void **state)
{
    (void)state;
    struct qpu_plan plan;
    const struct qpu_task task = {.log2_n = 10, .frames = 1};
    assert_int_equal(qpu_plan_init_passes(&plan, &task, (const uint8_t[]){5, 4, 0}), -EINVAL);
    assert_int_equal(qpu_plan_init_passes(&plan, &task, (const uint8_t[]){6, 4, 0}), 0);
}

/* Each QPU's requests run two vectors ahead, which takes up to 8 * 8 * 64 bytes. */
static void frames_are_separated_by_the_read_ahead(void **state)
{
    (void)state;
    struct qpu_plan plan;
    assert_int_equal(plan_bins(&plan, 10, 5), 0);
    assert_true(plan.frame_bytes >= 8192 + 8 * 8 * 64);
}

/* The first pass of 2^8, 4 + 4 bits, for QPU 3: computed by hand from the layout. */
static void uniforms_of_256_points_are_as_counted_by_hand(void **state)
{
    (void)state;
    const struct qpu_layout layout = {0x10000, 0x20000, 0x30000, 0x40000, 0};
    struct qpu_plan plan;
    uint32_t words[64];
    assert_int_equal(plan_bins(&plan, 8, 1), 0);
    qpu_plan_uniforms(&plan, &layout, 3, words);
    const uint32_t first[] = {
        3,
        0x20000,      /* which QPU; constants */
        0x10000 + 64, /* entry: first pass, 16 points */
        0x30000 + 8 * (6 << 1),
        4, /* its blocks: 011 reversed is 110 */
        1, /* two steps */
        0x101206,
        0x101216,
        1, /* vertical, columns 6 and 7, rows 0 and 16 */
        7,
        28,            /* lanes 8 * 16 points apart; one bit of step number */
        0x10000 + 448, /* entry: last pass, 16 points */
        0x40000 + 8 * 16 * 3,
    };
    assert_memory_equal(words, first, sizeof first);
    assert_int_equal(plan.uniform_words[0], plan.uniform_words[3] + 2 * 6); /* the master's */
}

/* A stride that does not fit a setup is never written to one. */
static void long_strides_are_stored_row_by_row(void **state)
{
    (void)state;
    for (uint32_t log2_n = QPU_PLAN_MIN_LOG2; log2_n <= QPU_PLAN_MAX_LOG2; log2_n++) {
        const struct qpu_layout layout = {0x10000, 0x20000, 0x1000000, 0x8000000, 0};
        struct qpu_plan plan;
        assert_int_equal(plan_bins(&plan, log2_n, 1), 0);
        uint32_t *words = calloc(plan.uniform_words[0], sizeof *words);
        assert_non_null(words);
        qpu_plan_uniforms(&plan, &layout, 0, words);
        const uint32_t stride = 8u << (log2_n - plan.pass[0].bits);
        uint32_t at = 2;
        while (words[at] != layout.to) /* the master's uniforms start with the destination */
            at++;
        const bool fits = stride - 64 <= 65535;
        assert_int_equal(words[at + 3], qpu_vdw_stride(fits ? stride - 64 : 0));
        assert_int_equal(words[at + 4], stride);
        assert_int_equal(words[at + 5] == layout.code + 640, fits);
        free(words);
    }
}

/* exp(-2 pi i k rev(lane) / 2^(done + 4)), where k is the number of the QPU. */
static void the_last_pass_starts_each_qpu_at_its_own_twiddle(void **state)
{
    (void)state;
    struct qpu_plan plan;
    assert_int_equal(plan_bins(&plan, 12, 1), 0);
    float *tables = malloc(plan.table_bytes);
    assert_non_null(tables);
    qpu_plan_tables(&plan, tables);
    static const int reversed[] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
    const float *last = tables + plan.table_bytes / sizeof *tables - 8 * 64; /* two pairs a QPU */
    for (int q = 0; q < 8; q++)
        for (int lane = 0; lane < 16; lane++) {
            const double angle = -2 * M_PI * q * reversed[lane] / 4096;
            assert_near(last[64 * q + lane], cos(angle), 6e-8);
            assert_near(last[64 * q + 16 + lane], sin(angle), 6e-8);
            const double step = -2 * M_PI * 8 * reversed[lane] / 4096;
            assert_near(last[64 * q + 32 + lane], sin(step), 6e-8);
            assert_near(last[64 * q + 48 + lane], 1 - cos(step), 6e-8);
        }
    free(tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_outside_the_program_are_refused),
        cmocka_unit_test(only_forward_transforms_have_windows_and_powers),
        cmocka_unit_test(the_number_of_rows_is_a_multiple_of_sixteen),
        cmocka_unit_test(a_structure_of_another_length_is_refused),
        cmocka_unit_test(passes_make_up_the_length_and_hold_twiddles_for_whole_steps),
        cmocka_unit_test(frames_are_separated_by_the_read_ahead),
        cmocka_unit_test(uniforms_of_256_points_are_as_counted_by_hand),
        cmocka_unit_test(long_strides_are_stored_row_by_row),
        cmocka_unit_test(the_last_pass_starts_each_qpu_at_its_own_twiddle),
    };
    return cmocka_run_group_tests_name("the plan of the QPU engine", tests, NULL, NULL);
}
