/* test_opencl_stream.c - tests batches through the engine's queues, in any order of execution:
 * correct spectra, each sample uploaded once, no wait in submit, and no access to mapped memory. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"
#include "tests/support/engine/beside.h"
#include "tests/support/engine/test_engines.h"
#include "tests/support/opencl/stream.h"

enum { N = STREAM_N, FRAMES = STREAM_FRAMES, BATCHES = STREAM_BATCHES, SAMPLES = STREAM_SAMPLES };

static void is_right_in_any_order(const struct stream *wanted)
{
    struct stream r = *wanted;
    char *raw = test_noise(r.format, SAMPLES, r.hop);
    for (unsigned i = 0; i < 2 * MOCK_ORDERS; i++) {
        struct mock_opencl *mock = machine_reset();
        r.order = (enum mock_order)(i / 2);
        r.unified = i % 2 == 0;
        struct fft_fold *fold = stream_run(&r, mock, raw);
        stream_check(&r, fold, raw);
        fft_fold_destroy(fold);
        assert_int_equal(mock->alive, 0);
    }
    free(raw);
}

static void any_depth_and_hop_is_right_in_any_order(void **state)
{
    static const uint32_t depths[] = {1, 2, 7}, hops[] = {N / 4, N, N - 1, 1, 77};
    (void)state;
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++)
        for (size_t j = 0; j < sizeof hops / sizeof hops[0]; j++)
            is_right_in_any_order(
                &(struct stream){.hop = hops[j], .depth = depths[i], .format = FFT_IQ_CS16});
}

static void any_format_is_right_in_any_order(void **state)
{
    (void)state;
    for (unsigned format = 0; format < FFT_IQ_FORMATS; format++)
        is_right_in_any_order(
            &(struct stream){.hop = 77, .depth = 3, .format = (enum fft_iq_format)format});
}

/* ---- transfers -------------------------------------------------------------------------- */

static void each_sample_crosses_the_bus_once(void **state)
{
    const struct stream r = {.hop = N / 4, .depth = 3, .format = FFT_IQ_CS16};
    char *raw = test_noise(r.format, SAMPLES, 1);
    (void)state;
    struct mock_opencl *mock = machine_reset();
    fft_fold_destroy(stream_run(&r, mock, raw));
    assert_int_equal(mock->counts.bytes_in, ((stream_frames_before(BATCHES) - 1) * N / 4 + N) * 4);
    assert_int_equal(mock->counts.bytes_out, BATCHES * FFT_DETECTORS * N * sizeof(float));
    assert_int_equal(mock->counts.maps, 0);
    free(raw);
}

static void shared_memory_is_mapped_and_never_copied(void **state)
{
    const struct stream r = {.hop = N / 4, .depth = 3, .format = FFT_IQ_CS16, .unified = true};
    char *raw = test_noise(r.format, SAMPLES, 1);
    (void)state;
    struct mock_opencl *mock = machine_reset();
    fft_fold_destroy(stream_run(&r, mock, raw));
    assert_int_equal(mock->counts.bytes_in, 0);
    assert_int_equal(mock->counts.bytes_out, 0);
    assert_int_equal(mock->counts.maps, 2 * BATCHES - 1);
    assert_int_equal(mock->counts.bytes_within, (BATCHES - 1) * (N - N / 4) * 4);
    free(raw);
}

/* Runs `check` on an engine with a spectrum, with shared memory and across a bus. */
static void with_spectrum(void (*check)(struct mock_opencl *mock, struct fft_engine *e,
                                        struct fft_spectrum *s, const char *raw,
                                        const struct stream *r))
{
    char *raw = test_noise(FFT_IQ_CS16, SAMPLES, 1);
    float *window = test_window(FFT_WINDOW_HANN, N);
    for (int unified = 0; unified < 2; unified++) {
        const struct stream r = {
            .hop = N / 2, .depth = 3, .format = FFT_IQ_CS16, .unified = unified != 0};
        const struct fft_spectrum_plan plan = stream_plan(&r, window);
        struct mock_opencl *mock = machine_reset();
        struct fft_spectrum *s;
        mock->unified = r.unified;
        struct fft_engine *e = machine_engine("opencl", NULL);
        assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
        check(mock, e, s, raw, &r);
        fft_spectrum_destroy(s);
        fft_engine_close(e);
        assert_int_equal(mock->alive, 0);
    }
    free(window);
    free(raw);
}

static void check_gap(struct mock_opencl *mock, struct fft_engine *e, struct fft_spectrum *s,
                      const char *raw, const struct stream *r)
{
    static const uint64_t starts[] = {0, 512, 1025, 7, 7};
    float *window = test_window(FFT_WINDOW_HANN, N);
    struct fft_spectrum_plan plan = stream_plan(r, window);
    (void)mock, (void)e;
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        struct fft_partial p;
        struct reference want;
        const char *span = raw + starts[i] * 4;
        reference_spectrum(&want, &plan, span, 4);
        assert_int_equal(fft_spectrum_submit(s, span, starts[i], 4), 0);
        assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
        for (uint32_t k = 0; k < N; k++)
            assert_near(p.last[k], want.last[k], 1e-5 * want.last[k] + 1e-12);
        for (uint32_t k = 0; k < N; k++)
            assert_near(p.sum[k], 4 * want.mean[k], 4e-5 * want.mean[k] + 1e-12);
        fft_spectrum_release(s);
        reference_finish(&want);
    }
    free(window);
}

static void a_gap_is_no_overlap(void **state)
{
    (void)state;
    with_spectrum(check_gap);
}

static void check_waits(struct mock_opencl *mock, struct fft_engine *e, struct fft_spectrum *s,
                        const char *raw, const struct stream *r)
{
    struct fft_partial p;
    (void)e, (void)r;
    mock->order = MOCK_LATE;
    mock->stalled = true; /* a submit that waits would fail and be counted */
    mock->counts.blocking = 0;
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(fft_spectrum_submit(s, raw, 1000 * i, FRAMES), 0);
    assert_int_equal(fft_spectrum_submit(s, raw, 3000, FRAMES), -EAGAIN);
    assert_int_equal(fft_spectrum_poll(s, &p, 0), 0);
    assert_int_equal(fft_spectrum_poll(s, &p, 3), 0);
    assert_int_equal(mock->counts.blocking, 0);
    mock->stalled = false;
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(fft_spectrum_poll(s, &p, 0), 1);
        assert_int_equal(p.position, 1000 * i);
    }
}

static void submit_never_waits_and_poll_waits_no_longer_than_its_timeout(void **state)
{
    (void)state;
    with_spectrum(check_waits);
}

/* The tables are in the host's memory for the upload alone, unless it shares it with the device. */
static void check_memory(struct mock_opencl *mock, struct fft_engine *e, struct fft_spectrum *s,
                         const char *raw, const struct stream *r)
{
    float *window = test_window(FFT_WINDOW_HANN, N);
    struct fft_spectrum_plan plan = stream_plan(r, window);
    (void)raw, (void)s;
    const size_t bytes = fft_spectrum_device_bytes(e, &plan), tables = 4 * N * sizeof(float);
    assert_in_range(bytes, mock->host, mock->host + tables);
    assert_true(mock->host > 3 * N * sizeof(float) * 4); /* results of three batches, at least */
    const size_t before = mock->host;
    struct fft_spectrum *larger;
    plan.max_frames = 8 * FRAMES;
    assert_int_equal(fft_spectrum_create(&larger, e, &plan, NULL, 0), 0);
    const size_t taken = mock->host - before;
    assert_in_range(fft_spectrum_device_bytes(e, &plan), taken, taken + tables);
    assert_true(taken > 3 * 8 * FRAMES * N / 2 * 4); /* samples of three batches, at least */
    fft_spectrum_destroy(larger);
    free(window);
}

static void the_host_memory_of_a_plan_is_known_before_it_is_taken(void **state)
{
    (void)state;
    with_spectrum(check_memory);
}

static void check_lost(struct mock_opencl *mock, struct fft_engine *e, struct fft_spectrum *s,
                       const char *raw, const struct stream *r)
{
    struct fft_partial p;
    (void)e;
    (void)r;
    mock->order = MOCK_LATE;
    assert_int_equal(fft_spectrum_submit(s, raw, 0, FRAMES), 0);
    mock->lost = true;
    assert_int_equal(fft_spectrum_poll(s, &p, -1), -EIO);
    assert_string_equal(fft_spectrum_trouble(s),
                        "the device was lost: CL_INVALID_COMMAND_QUEUE (-36)");
    assert_int_equal(fft_spectrum_poll(s, &p, -1), -EIO);
    assert_int_equal(fft_spectrum_submit(s, raw, 1, FRAMES), -EIO);
}

static void a_lost_device_is_an_error_with_a_reason(void **state)
{
    (void)state;
    with_spectrum(check_lost);
}

static void check_finishing(struct mock_opencl *mock, struct fft_engine *e, struct fft_spectrum *s,
                            const char *raw, const struct stream *r)
{
    (void)e, (void)r;
    mock->order = MOCK_LATE;
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(fft_spectrum_submit(s, raw, i, FRAMES), 0);
}

static void destroying_a_spectrum_waits_for_batches_in_flight(void **state)
{
    (void)state;
    with_spectrum(check_finishing); /* the mock aborts if a queue is released with work in it */
}

static void plans_are_made_beside_a_running_one(void **state)
{
    (void)state;
    struct mock_opencl *mock = machine_reset();
    for (int unified = 0; unified < 2; unified++) {
        mock->unified = unified;
        struct fft_engine *e = machine_engine("opencl", NULL);
        beside_check(e, N, 10);
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
        cmocka_unit_test(plans_are_made_beside_a_running_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
