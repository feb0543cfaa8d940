/* test_cuda_daemon.c - the dsp thread on the CUDA engine: its ring is pinned, and no loss is one. */
#include "tests/pipeline/pipeline_bench.h"

#include <string.h>

#include "tests/cuda/machine.h"

enum { LINES = 100, HOP = 128, SAMPLES = HOP * 10 * LINES + HOP };

static void the_ring_is_pinned_as_long_as_its_epoch(void **state)
{
    const struct wanted w = bench_wanted();
    struct bench b;
    (void)state;
    struct mock_cuda *mock = machine_reset();
    const struct pipeline_config config = {.engine = machine_engine("cuda")};
    bench_start(&b, &w, true, &config);
    bench_write(&b, SAMPLES);
    bench_end_epoch(&b);
    bench_push_epoch(&b, true);
    bench_write(&b, SAMPLES);
    const struct ledger ledger = bench_finish(&b);
    assert_int_equal(ledger.seen, 2 * SAMPLES);
    assert_int_equal(b.frames, 2 * 10 * LINES);
    bench_clean_up(&b);
    assert_int_equal(mock->did.pinned, 2);
    assert_int_equal(mock->registered, 0);
    assert_int_equal(mock->alive, 0);
}

/* The device is lost at the `after`-th call of this name, with batches in flight. */
static void lose(const char *call, int after)
{
    const struct wanted w = bench_wanted();
    struct pipeline_report report;
    struct bench b;
    struct mock_cuda *mock = machine_reset();
    const struct pipeline_config config = {.engine = machine_engine("cuda")};
    mock->order = MOCK_LATE;
    mock->fail = call;
    mock->fail_after = after;
    mock->fail_code = 700;
    mock->fatal = true;
    bench_start(&b, &w, true, &config);
    bench_write(&b, SAMPLES);
    const struct ledger ledger = bench_finish(&b);
    pipeline_report(b.pipeline, &report);
    assert_true(mock->lost);
    assert_int_equal(ledger.produced, SAMPLES);
    assert_int_equal(ledger.seen, SAMPLES);
    assert_int_equal(ledger.frames, 10 * LINES);
    assert_int_equal(b.frames, 10 * LINES);
    assert_int_equal(report.fallbacks, 1);
    assert_non_null(strstr(report.engine_note, "cuda failed ("));
    assert_non_null(strstr(report.engine_note, "CUDA_ERROR_ILLEGAL_ADDRESS (700)"));
    assert_string_equal(b.last->engine, "cpu");
    bench_clean_up(&b);
    mock->lost = false;
}

static void a_device_lost_while_it_works_costs_no_sample(void **state)
{
    (void)state;
    lose("cuEventQuery", 7);
    lose("cuGraphLaunch", 9);
    lose("cuEventRecord", 20);
}

static void a_device_lost_before_its_first_batch_costs_no_sample(void **state)
{
    (void)state;
    lose("cuMemAlloc_v2", 1);
    lose("cuStreamBeginCapture_v2", 1);
}

/* The engine is there, but the plan does not fit: one line, and the CPU. */
static void a_device_without_room_leaves_the_work_to_the_cpu(void **state)
{
    const struct wanted w = bench_wanted();
    struct pipeline_report report;
    struct bench b;
    (void)state;
    struct mock_cuda *mock = machine_reset();
    const struct pipeline_config config = {.engine = machine_engine("cuda")};
    mock->memory = 1000;
    bench_start(&b, &w, true, &config);
    bench_write(&b, SAMPLES);
    const struct ledger ledger = bench_finish(&b);
    pipeline_report(b.pipeline, &report);
    assert_int_equal(ledger.seen, SAMPLES);
    assert_int_equal(report.fallbacks, 1);
    if (!strstr(report.engine_note, " KiB of device memory for spectra of ") ||
        !strstr(report.engine_note, "CUDA_ERROR_OUT_OF_MEMORY (2)"))
        fail_msg("%s", report.engine_note);
    assert_string_equal(b.last->engine, "cpu");
    bench_clean_up(&b);
    assert_int_equal(mock->alive, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ring_is_pinned_as_long_as_its_epoch),
        cmocka_unit_test(a_device_lost_while_it_works_costs_no_sample),
        cmocka_unit_test(a_device_lost_before_its_first_batch_costs_no_sample),
        cmocka_unit_test(a_device_without_room_leaves_the_work_to_the_cpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
