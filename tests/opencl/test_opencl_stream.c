/* test_opencl_stream.c - tests batches through the engine's queues, in any order of execution:
 * correct spectra, each sample uploaded once, no wait in submit, and no access to mapped memory. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"
#include "tests/support/engine/concurrent_plans.h"
#include "tests/support/engine/test_engines.h"
#include "tests/support/opencl/machine.h"

enum {
    N = STREAM_N,
    FRAMES = 9,
    BATCHES = STREAM_BATCHES,
    SAMPLES = BATCHES * FRAMES * N + N, /* a ring that no stream leaves */
};

static void is_right_in_any_order(uint32_t hop, uint32_t depth, enum fft_iq_format format)
{
    struct ring ring = ring_make(format, SAMPLES);
    const struct batch_stream r = {
        .hop = hop, .depth = depth, .frames = FRAMES, .format = format, .ring = &ring};
    for (unsigned i = 0; i < 2 * MOCK_ORDERS; i++) {
        struct mock_opencl *mock = machine_reset();
        mock->order = (enum mock_order)(i / 2);
        mock->unified = i % 2 == 0;
        struct fft_fold *fold = machine_stream(&r, mock);
        stream_expect_reference(&r, fold);
        fft_fold_destroy(fold);
        assert_int_equal(mock->alive, 0);
    }
    free(ring.memory);
}

static void any_depth_and_hop_is_right_in_any_order(void **state)
{
    static const uint32_t depths[] = {1, 2, 7}, hops[] = {N / 4, N, N - 1, 1, 77};
    (void)state;
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++)
        for (size_t j = 0; j < sizeof hops / sizeof hops[0]; j++)
            is_right_in_any_order(hops[j], depths[i], FFT_IQ_CS16);
}

static void any_format_is_right_in_any_order(void **state)
{
    (void)state;
    for (unsigned format = 0; format < FFT_IQ_FORMATS; format++)
        is_right_in_any_order(77, 3, (enum fft_iq_format)format);
}

/* ---- transfers -------------------------------------------------------------------------- */

static void each_sample_crosses_the_bus_once(void **state)
{
    struct ring ring = ring_make(FFT_IQ_CS16, SAMPLES);
    const struct batch_stream r = {
        .hop = N / 4, .depth = 3, .frames = FRAMES, .format = FFT_IQ_CS16, .ring = &ring};
    (void)state;
    struct mock_opencl *mock = machine_reset();
    mock->unified = false;
    fft_fold_destroy(machine_stream(&r, mock));
    assert_int_equal(mock->counts.bytes_in, stream_samples(&r) * 4);
    assert_int_equal(mock->counts.bytes_out, BATCHES * FFT_DETECTORS * N * sizeof(float));
    assert_int_equal(mock->counts.maps, 0);
    free(ring.memory);
}

static void shared_memory_is_mapped_and_never_copied(void **state)
{
    struct ring ring = ring_make(FFT_IQ_CS16, SAMPLES);
    const struct batch_stream r = {
        .hop = N / 4, .depth = 3, .frames = FRAMES, .format = FFT_IQ_CS16, .ring = &ring};
    (void)state;
    struct mock_opencl *mock = machine_reset();
    fft_fold_destroy(machine_stream(&r, mock));
    assert_int_equal(mock->counts.bytes_in, 0);
    assert_int_equal(mock->counts.bytes_out, 0);
    assert_int_equal(mock->counts.maps, 2 * BATCHES - 1);
    assert_int_equal(mock->counts.bytes_within, (BATCHES - 1) * (N - N / 4) * 4);
    free(ring.memory);
}

/* An engine with a spectrum of this plan, and noise for it. */
struct opened {
    struct mock_opencl *mock;
    struct fft_engine *engine;
    struct fft_spectrum *spectrum;
    struct fft_spectrum_config plan;
    const char *raw; /* [SAMPLES] */
};

/* Runs `check` with shared memory and across a bus. */
static void with_spectrum(void (*check)(const struct opened *o))
{
    char *raw = test_noise(FFT_IQ_CS16, SAMPLES, 1);
    float *window = test_window(FFT_WINDOW_HANN, N);
    const struct batch_stream r = {
        .hop = N / 2, .depth = 3, .frames = FRAMES, .format = FFT_IQ_CS16};
    for (int unified = 0; unified < 2; unified++) {
        struct opened o = {.mock = machine_reset(), .plan = stream_plan(&r, window), .raw = raw};
        o.mock->unified = unified != 0;
        o.engine = machine_engine("opencl", NULL);
        assert_int_equal(fft_spectrum_create(&o.spectrum, o.engine, &o.plan, NULL, 0), 0);
        check(&o);
        fft_spectrum_destroy(o.spectrum);
        fft_engine_close(o.engine);
        assert_int_equal(o.mock->alive, 0);
    }
    free(window);
    free(raw);
}

static void check_gap(const struct opened *o)
{
    static const uint64_t starts[] = {0, 512, 1025, 7, 7};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        struct fft_partial p;
        struct reference want;
        const char *span = o->raw + starts[i] * 4;
        reference_spectrum(&want, &o->plan, span, 4);
        assert_int_equal(fft_spectrum_submit(o->spectrum, span, starts[i], 4, 0), 0);
        assert_int_equal(fft_spectrum_poll(o->spectrum, &p, -1), 1);
        for (uint32_t k = 0; k < N; k++)
            assert_near(p.last[k], want.last[k], 1e-5 * want.last[k] + 1e-12);
        for (uint32_t k = 0; k < N; k++)
            assert_near(p.sum[k], 4 * want.mean[k], 4e-5 * want.mean[k] + 1e-12);
        fft_spectrum_release(o->spectrum);
        reference_finish(&want);
    }
}

static void a_gap_is_no_overlap(void **state)
{
    (void)state;
    with_spectrum(check_gap);
}

static void check_waits(const struct opened *o)
{
    struct fft_partial p;
    o->mock->order = MOCK_LATE;
    o->mock->stalled = true; /* a submit that waits would fail and be counted */
    o->mock->counts.blocking = 0;
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(fft_spectrum_submit(o->spectrum, o->raw, 1000 * i, FRAMES, 0), 0);
    assert_int_equal(fft_spectrum_submit(o->spectrum, o->raw, 3000, FRAMES, 0), -EAGAIN);
    assert_int_equal(fft_spectrum_poll(o->spectrum, &p, 0), 0);
    assert_int_equal(fft_spectrum_poll(o->spectrum, &p, 3), 0);
    assert_int_equal(o->mock->counts.blocking, 0);
    o->mock->stalled = false;
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(fft_spectrum_poll(o->spectrum, &p, 0), 1);
        assert_int_equal(p.position, 1000 * i);
    }
}

static void submit_never_waits_and_poll_waits_no_longer_than_its_timeout(void **state)
{
    (void)state;
    with_spectrum(check_waits);
}

/* The tables are in the host's memory for the upload alone, unless it shares it with the device. */
static void check_memory(const struct opened *o)
{
    struct fft_spectrum_config plan = o->plan;
    const size_t bytes = fft_spectrum_device_bytes(o->engine, &plan),
                 tables = 4 * N * sizeof(float);
    assert_in_range(bytes, o->mock->host, o->mock->host + tables);
    assert_true(o->mock->host > 3 * N * sizeof(float) * 4); /* results of three batches, at least */
    const size_t before = o->mock->host;
    struct fft_spectrum *larger;
    plan.max_frames = 8 * FRAMES;
    assert_int_equal(fft_spectrum_create(&larger, o->engine, &plan, NULL, 0), 0);
    const size_t taken = o->mock->host - before;
    assert_in_range(fft_spectrum_device_bytes(o->engine, &plan), taken, taken + tables);
    assert_true(taken > 3 * 8 * FRAMES * N / 2 * 4); /* samples of three batches, at least */
    fft_spectrum_destroy(larger);
}

static void the_host_memory_of_a_plan_is_known_before_it_is_taken(void **state)
{
    (void)state;
    with_spectrum(check_memory);
}

static void check_lost(const struct opened *o)
{
    struct fft_partial p;
    o->mock->order = MOCK_LATE;
    assert_int_equal(fft_spectrum_submit(o->spectrum, o->raw, 0, FRAMES, 0), 0);
    o->mock->lost = true;
    assert_int_equal(fft_spectrum_poll(o->spectrum, &p, -1), -EIO);
    assert_string_equal(fft_spectrum_last_error(o->spectrum),
                        "the device was lost: CL_INVALID_COMMAND_QUEUE (-36)");
    assert_int_equal(fft_spectrum_poll(o->spectrum, &p, -1), -EIO);
    assert_int_equal(fft_spectrum_submit(o->spectrum, o->raw, 1, FRAMES, 0), -EIO);
}

static void a_lost_device_is_an_error_with_a_reason(void **state)
{
    (void)state;
    with_spectrum(check_lost);
}

static void check_finishing(const struct opened *o)
{
    o->mock->order = MOCK_LATE;
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(fft_spectrum_submit(o->spectrum, o->raw, i, FRAMES, 0), 0);
}

static void destroying_a_spectrum_waits_for_batches_in_flight(void **state)
{
    (void)state;
    with_spectrum(check_finishing); /* the mock aborts if a queue is released with work in it */
}

static void a_plan_is_made_while_another_one_runs(void **state)
{
    (void)state;
    struct mock_opencl *mock = machine_reset();
    for (int unified = 0; unified < 2; unified++) {
        mock->unified = unified;
        struct fft_engine *e = machine_engine("opencl", NULL);
        concurrent_plans_check(e, N, 10);
        fft_engine_close(e);
        assert_int_equal(mock->alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_depth_and_hop_is_right_in_any_order),
        cmocka_unit_test(any_format_is_right_in_any_order),
        cmocka_unit_test(each_sample_crosses_the_bus_once),
        cmocka_unit_test(shared_memory_is_mapped_and_never_copied),
        cmocka_unit_test(a_gap_is_no_overlap),
        cmocka_unit_test(submit_never_waits_and_poll_waits_no_longer_than_its_timeout),
        cmocka_unit_test(the_host_memory_of_a_plan_is_known_before_it_is_taken),
        cmocka_unit_test(a_lost_device_is_an_error_with_a_reason),
        cmocka_unit_test(destroying_a_spectrum_waits_for_batches_in_flight),
        cmocka_unit_test(a_plan_is_made_while_another_one_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
