/*
 * test_qpu_columns.c - tests rows of a matrix that the emulated QPUs transform and store as
 * columns, against a double-precision transform, for every schedule and both kinds of DMA.
 */
#include <stdlib.h>
#include <string.h>

#include "emulate/qpu/fft_run.h"
#include "reference/reference.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/engine/test_engines.h"
#include "tests/support/engine/transform_case.h"

static bool full(void)
{
    return getenv("FFTD_QPU_FULL") != NULL;
}

static void start(struct fft_run *run, const struct qpu_task *task, const uint8_t *bits)
{
    struct qpu_plan plan;
    assert_int_equal(bits ? qpu_plan_init_passes(&plan, task, bits) : qpu_plan_init(&plan, task),
                     0);
    assert_int_equal(fft_run_init(run, &plan, qpu_kernel_find("fft")), 0);
}

/* Rows of noise, and their transforms: bin k of row r is at [k][r]. */
struct matrix {
    uint32_t n, rows;
    struct fft_iq *noise;   /* [rows][n] */
    struct complex64 *want; /* [n][rows] */
};

static void matrix_make(struct matrix *m, const struct qpu_task *task)
{
    *m = (struct matrix){.n = 1u << task->log2_n, .rows = task->frames};
    const size_t points = (size_t)m->n * m->rows;
    struct complex64 *row = malloc(m->n * sizeof *row);
    m->noise = test_noise(FFT_IQ_CF32, points, 5);
    m->want = malloc(points * sizeof *m->want);
    assert_true(row && m->want);
    for (uint32_t r = 0; r < m->rows; r++) {
        for (uint32_t i = 0; i < m->n; i++)
            row[i] = reference_sample(FFT_IQ_CF32, m->noise + (size_t)r * m->n, i);
        reference_dft(row, m->n, task->inverse);
        for (uint32_t k = 0; k < m->n; k++)
            m->want[(size_t)k * m->rows + r] = row[k];
    }
    free(row);
}

static void matrix_free(struct matrix *m)
{
    free(m->noise);
    free(m->want);
}

/* 1.1 times the error of the published programs on noise, in the same arithmetic. */
static double tolerance(uint32_t log2_n)
{
    return 1.1 * (log2_n < 12 ? .53e-6 * pow(.96 / .53, (log2_n - 8) / 4.)
                              : .96e-6 * pow(1.7 / .96, (log2_n - 12) / 8.));
}

static void check_mode(const struct matrix *m, const struct qpu_task *task, const uint8_t *bits,
                       const struct emulator_named_mode *mode)
{
    struct fft_run run;
    start(&run, task, bits);
    for (uint32_t r = 0; r < m->rows; r++)
        memcpy(fft_run_input(&run, r), m->noise + (size_t)r * m->n, m->n * sizeof *m->noise);
    if (fft_run_go(&run, &mode->mode))
        fail_msg("%u rows of 2^%u, %s: %s", m->rows, task->log2_n, mode->name, run.report.error);
    const double error = transform_error(fft_run_output(&run, 0), m->want, (size_t)m->n * m->rows);
    assert_near(error, 0, tolerance(task->log2_n));
    assert_int_equal(run.report.stored_bytes,
                     (uint64_t)run.plan.passes * m->rows * m->n * sizeof(struct fft_iq));
    fft_run_finish(&run);
}

static void check_modes(const struct qpu_task *task, const uint8_t *bits, int first, int modes)
{
    struct matrix m;
    matrix_make(&m, task);
    for (int mode = first; mode < first + modes; mode++)
        check_mode(&m, task, bits, &emulator_modes[mode % EMULATOR_MODES]);
    matrix_free(&m);
}

static void rows_become_columns_in_both_directions(void **state)
{
    (void)state;
    for (uint32_t log2_n = 8; log2_n <= 14; log2_n++) {
        const struct qpu_task task = {
            .log2_n = log2_n, .frames = 16, .inverse = log2_n % 2, .output = QPU_COLUMNS};
        check_modes(&task, NULL, (int)log2_n, log2_n <= 10 || full() ? EMULATOR_MODES : 2);
    }
}

/* Only the last pass differs from a plain transform: tests each of its block lengths, with more
 * rows. */
static void every_block_length_gives_columns(void **state)
{
    (void)state;
    static const uint8_t structures[][QPU_PLAN_PASSES] = {{6, 4}, {4, 5}, {4, 6}};
    for (size_t i = 0; i < sizeof structures / sizeof structures[0]; i++)
        for (int inverse = 0; inverse < 2; inverse++) {
            const struct qpu_task task = {.log2_n = (uint32_t)structures[i][0] + structures[i][1],
                                          .frames = 48,
                                          .inverse = inverse,
                                          .output = QPU_COLUMNS};
            check_modes(&task, structures[i], (int)i, 2);
        }
}

/* 256 blocks of 64 rows: the stride between elements exceeds a setup's 64 KiB. */
static void far_columns_are_stored_row_by_row(void **state)
{
    (void)state;
    const struct qpu_task task = {.log2_n = 12, .frames = 64, .output = QPU_COLUMNS};
    check_modes(&task, (const uint8_t[]){4, 4, 4, 0}, 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_become_columns_in_both_directions),
        cmocka_unit_test(every_block_length_gives_columns),
        cmocka_unit_test(far_columns_are_stored_row_by_row),
    };
    return cmocka_run_group_tests_name("columns on the emulated QPUs", tests, NULL, NULL);
}
