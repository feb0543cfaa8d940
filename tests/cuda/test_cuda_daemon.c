/*
 * test_cuda_daemon.c - the dsp thread on the CUDA engine: pins its ring, and loses no samples with
 * a lost device.
 */
#include "tests/support/dsp/dsp_fixture.h"

#include <string.h>

#include "tests/support/cuda/machine.h"
#include "tests/support/dsp/lost_device.h"

enum { LINES = LOST_LINES, SAMPLES = LOST_SAMPLES };

static struct mock_cuda *mock;

static void the_ring_is_pinned_as_long_as_its_epoch(void **state)
{
    const struct settings w = dsp_fixture_settings();
    struct dsp_fixture b;
    (void)state;
    mock = machine_reset();
    const struct dsp_thread_config config = {.engine = machine_engine("cuda")};
    dsp_fixture_start(&b, &w, true, &config);
    dsp_fixture_write(&b, SAMPLES);
    dsp_fixture_end_epoch(&b);
    dsp_fixture_push_epoch(&b, true);
    dsp_fixture_write(&b, SAMPLES);
    const struct ledger ledger = dsp_fixture_finish(&b);
    assert_int_equal(ledger.seen, 2 * SAMPLES);
    assert_int_equal(b.frames, 2 * 10 * LINES);
    dsp_fixture_clean_up(&b);
    assert_int_equal(mock->did.pinned, 2);
    assert_int_equal(mock->registered, 0);
    assert_int_equal(mock->alive, 0);
}

/* ---- a device that is lost --------------------------------------------------------------- */

static struct fft_engine *open_engine(int variant)
{
    (void)variant;
    mock = machine_reset();
    return machine_engine("cuda");
}

static void arm(const char *call, int after)
{
    mock->order = MOCK_LATE; /* keeps batches in flight */
    mock->fail = call;
    mock->fail_after = after;
    mock->fail_code = 700;
    mock->fatal = true;
}

static bool was_lost(void)
{
    return mock->lost;
}

/* A lost context has freed everything in it. */
static int64_t alive(void)
{
    mock->lost = false;
    return 0;
}

static const struct lost_device device = {.engine = "cuda",
                                          .result = "CUDA_ERROR_ILLEGAL_ADDRESS (700)",
                                          .open = open_engine,
                                          .arm = arm,
                                          .lost = was_lost,
                                          .alive = alive};

static void a_device_lost_while_it_works_costs_no_sample(void **state)
{
    static const struct lost_call calls[] = {
        {"cuEventQuery", 7, 0}, {"cuGraphLaunch", 9, 0}, {"cuEventRecord", 20, 0}, {NULL, 0, 0}};
    (void)state;
    lost_device_costs_no_sample(&device, calls);
}

static void a_device_lost_before_its_first_batch_costs_no_sample(void **state)
{
    static const struct lost_call calls[] = {
        {"cuMemAlloc_v2", 1, 0}, {"cuStreamBeginCapture_v2", 1, 0}, {NULL, 0, 0}};
    (void)state;
    lost_device_costs_no_sample(&device, calls);
}

/* The engine opens, but the plan does not fit: one message, and the CPU engine takes over. */
static void a_device_without_room_leaves_the_work_to_the_cpu(void **state)
{
    const struct settings w = dsp_fixture_settings();
    struct dsp_status report;
    struct dsp_fixture b;
    (void)state;
    mock = machine_reset();
    const struct dsp_thread_config config = {.engine = machine_engine("cuda")};
    mock->memory = 1000;
    dsp_fixture_start(&b, &w, true, &config);
    dsp_fixture_write(&b, SAMPLES);
    const struct ledger ledger = dsp_fixture_finish(&b);
    dsp_thread_status(b.pipeline, &report);
    assert_int_equal(ledger.seen, SAMPLES);
    assert_int_equal(report.fallbacks, 1);
    if (!strstr(report.engine_note, " KiB of device memory for spectra of ") ||
        !strstr(report.engine_note, "CUDA_ERROR_OUT_OF_MEMORY (2)"))
        fail_msg("%s", report.engine_note);
    assert_string_equal(b.last->engine, "cpu");
    dsp_fixture_clean_up(&b);
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
