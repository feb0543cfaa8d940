/* test_opencl_daemon.c - the dsp thread on the OpenCL engine: a device that is lost costs no sample. */
#include "tests/pipeline/pipeline_bench.h"

#include <string.h>

#include "tests/opencl/machine.h"

enum { LINES = 100, HOP = 128, SAMPLES = HOP * 10 * LINES + HOP };

/* The device is lost at the `after`-th call of this name, with batches in flight. */
static void lose(const char *call, int after, bool unified)
{
    const struct wanted w = bench_wanted();
    struct pipeline_report report;
    struct bench b;
    struct mock_opencl *mock = machine_reset();
    mock->unified = unified;
    const struct pipeline_config config = {.engine = machine_engine("opencl", NULL)};
    mock->order = MOCK_LATE;
    mock->fail = call;
    mock->fail_after = after;
    mock->fail_code = -36;
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
    assert_non_null(strstr(report.engine_note, "opencl failed ("));
    assert_non_null(strstr(report.engine_note, "CL_INVALID_COMMAND_QUEUE (-36)"));
    assert_string_equal(b.last->engine, "cpu");
    bench_clean_up(&b);
    assert_int_equal(mock->alive, 0);
}

static void a_device_lost_while_it_works_costs_no_sample(void **state)
{
    (void)state;
    for (int unified = 0; unified < 2; unified++) {
        lose("clGetEventInfo", 7, unified != 0);
        lose("clEnqueueNDRangeKernel", 9, unified != 0);
        lose("clFlush", 6, unified != 0);
    }
    lose("clEnqueueMapBuffer", 30, true);
    lose("clEnqueueWriteBuffer", 5, false);
}

static void a_device_lost_before_its_first_batch_costs_no_sample(void **state)
{
    (void)state;
    lose("clCreateBuffer", 1, true);
    lose("clBuildProgram", 1, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_lost_while_it_works_costs_no_sample),
        cmocka_unit_test(a_device_lost_before_its_first_batch_costs_no_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
